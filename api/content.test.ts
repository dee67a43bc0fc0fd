// The content routes: the responses for a frame, and the refusals.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import { sealTicket } from "@plinth/domain/content/ticket";
import { closeThreads } from "@plinth/domain/threads/pool";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let hidden: Artifact;
const shown = {} as Record<ArtifactType, Artifact>;
const sources = {
  md: "\uFEFF# Heading\n\n<script>alert(1)</script>",
  html: "<script>alert(2)</script>",
  jsx: "export default () => <b>hello</b>",
};

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  const { slug } = await service.setup.project(owner.token);
  for (const type of ["md", "html", "jsx"] as const)
    shown[type] = await service.setup.publish(owner.token, slug, { type, content: sources[type] });
  const access = { publicView: false, publicEdit: false };
  hidden = await service.setup.publish(owner.token, slug, { type: "html", content: sources.html, access });
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const ticket = async ({ artifactId }: Artifact) => {
  const { url } = await service.setup.call("artifact.ticket", { artifactId }, { as: owner.token });
  return url.slice(origin.length);
};
const steady = ({ artifactId }: Artifact, version: number | string = 1) => `/_content/p/${artifactId}/${version}`;
const scripts = (response: Response) =>
  /script-src ([^;]*)/.exec(response.headers.get("content-security-policy") ?? "")?.[1] ?? "";

describe("a document", () => {
  for (const type of ["md", "html", "jsx"] as const) {
    test(`of ${type} is sandboxed by its own response, by ticket and at its steady address`, async () => {
      for (const path of [await ticket(shown[type]), steady(shown[type])]) {
        const response = await service.ask("GET", path);
        expect(response.status).toBe(200);
        const policy = response.headers.get("content-security-policy") ?? "";
        expect(policy).toContain("sandbox allow-scripts");
        expect(policy).not.toContain("allow-same-origin");
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain(`frame-ancestors ${origin}`);
        expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
        expect(response.headers.get("set-cookie")).toBeNull();
        expect(response.headers.get("cache-control")).toBe(
          path.startsWith("/_content/p/") ? "public, no-cache" : "private, no-store",
        );
      }
    });
  }

  test("of markdown runs none of its scripts, and a byte order mark is no part of its heading", async () => {
    const response = await service.ask("GET", steady(shown.md));
    expect(scripts(response)).not.toContain("unsafe-inline");
    const html = await response.text();
    // Shown as text, like on GitHub.
    expect(html).not.toContain("<script>alert(1)");
    expect(html).toContain("&lt;script>alert(1)");
    expect(html).toMatch(/<h1[^>]*>/);
  });

  test("redirects to the viewer when opened as a page", async () => {
    for (const path of [await ticket(hidden), steady(shown.html)]) {
      const response = await service.ask("GET", path, { headers: { "sec-fetch-dest": "document" } });
      expect([response.status, response.headers.get("cache-control")]).toEqual([302, "no-store"]);
      expect(response.headers.get("location")).toStartWith(`${origin}/${owner.username}/`);
      expect(response.headers.get("location")).toEndWith("?v=1");
    }
    for (const dest of ["iframe", "frame", "empty", "Document"])
      expect((await service.ask("GET", steady(shown.html), { headers: { "sec-fetch-dest": dest } })).status).toBe(200);
  });

  test("ignores credentials, valid or not", async () => {
    for (const authorization of ["Bearer nonsense", `Bearer ${owner.token}`, ""]) {
      const headers = { authorization, cookie: "session=x" };
      expect((await service.ask("GET", steady(shown.html), { headers })).status).toBe(200);
      expect((await service.ask("GET", steady(hidden), { headers })).status).toBe(404);
    }
  });

  test("at its steady address is sent once, and asked about each time", async () => {
    const first = await service.ask("GET", steady(shown.jsx));
    const etag = first.headers.get("etag") ?? "";
    const nonce = (response: Response) => /'nonce-([^']+)'/.exec(scripts(response))?.[1];
    const headers = { "if-none-match": etag };
    const again = await service.ask("GET", steady(shown.jsx), { headers });
    expect(again.status).toBe(304);
    // The 304 renews the stored headers, so its nonce must be that of the stored body.
    expect(nonce(again)).toBe(nonce(first));
    const { artifactId } = await service.setup.publish(owner.token, shown.jsx.projectSlug, { content: "gone" });
    const path = `/_content/p/${artifactId}/1`;
    const held = (await service.ask("GET", path)).headers.get("etag") ?? "";
    await service.setup.call("artifact.delete", { artifactId }, { as: owner.token });
    expect((await service.ask("GET", path, { headers: { "if-none-match": held } })).status).toBe(404);
  });

  test("of a ticket has a new nonce in each response", async () => {
    const path = await ticket(shown.jsx);
    const [one, two] = [await service.ask("GET", path), await service.ask("GET", path)];
    expect(scripts(one)).not.toBe(scripts(two));
  });
});

describe("the document that comes with Plinth", () => {
  const path = (version: number | string) => `/_content/welcome/${version}`;

  test.each([1, 2, 3])("has in version %i the policy and the guard of any html document", async (version) => {
    const answer = await service.ask("GET", path(version));
    expect(answer.status).toBe(200);
    const anybodys = await service.ask("GET", steady(shown.html));
    const policy = (response: Response) =>
      response.headers.get("content-security-policy")?.replaceAll(/'nonce-[^']+'/g, "");
    expect(policy(answer)).toBe(policy(anybodys));
    expect(answer.headers.get("cache-control")).toBe("public, no-cache");
    const etag = answer.headers.get("etag") ?? "";
    expect((await service.ask("GET", path(version), { headers: { "if-none-match": etag } })).status).toBe(304);
    const text = await answer.text();
    expect(text).toContain("Latency, third quarter");
    expect(text.indexOf("<script>")).toBeLessThan(text.indexOf("<meta"));
  });

  test("redirects to the start page when opened as a page, and has no fourth version", async () => {
    const headers = { "sec-fetch-dest": "document" };
    const answer = await service.ask("GET", path(1), { headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      `${service.setup.instance.config.publicUrl}/`,
    ]);
    for (const version of ["0", "4", "01", "x", "source"])
      expect((await service.ask("GET", path(version))).status).toBe(404);
  });
});

describe("what is not there", () => {
  test("is the same for hidden, deleted, missing and malformed, and says nothing", async () => {
    const real = await ticket(hidden);
    const paths = [
      steady(hidden),
      steady(shown.html, 2),
      ...["0", "01", "-1", "1.0", "x", "%00", "2147483648", "9999999999"].map((version) => steady(shown.html, version)),
      "/_content/p/art_x/1",
      `${real}A`,
      real.slice(0, -1),
      real.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      "/_content/p",
    ];
    const seen = new Set<string>();
    for (const path of paths) {
      const response = await service.ask("GET", path, { headers: { "x-request-id": "the-same-request" } });
      expect({ path, status: response.status }).toEqual({ path, status: 404 });
      seen.add(JSON.stringify([await response.text(), [...response.headers]]));
    }
    expect(seen.size).toBe(1);
  });

  test("spoils nothing for those who ask in the same moment", async () => {
    const asked = Array.from({ length: 40 }, (_, index) =>
      service.ask("GET", steady(shown.html, index % 4 === 0 ? "9999999999" : 1)),
    );
    const statuses = (await Promise.all(asked)).map((response) => response.status);
    expect(statuses).toEqual(statuses.map((_, index) => (index % 4 === 0 ? 404 : 200)));
  });

  test("any more, of a ticket past its minute, asks the page around it for another", async () => {
    const expired = {
      artifactId: hidden.artifactId,
      versionNumber: 1,
      madeWith: null,
      expiresAt: new Date(Date.now() - 1),
    };
    const path = `/_content/${sealTicket(service.setup.instance.config.secret, expired)}`;
    const response = await service.ask("GET", path);
    expect(response.status).toBe(410);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const html = await response.text();
    const nonce = /<script nonce="([^"]+)">/.exec(html)?.[1] ?? "";
    expect(scripts(response)).toContain(`'nonce-${nonce}'`);
    expect(html).not.toContain(hidden.artifactId);
  });
});

describe("a document that loads itself again", () => {
  test("is allowed its own address alone, by ticket and at its steady addresses, in each view", async () => {
    const embedded = steady(shown.html).replace("/p/", "/e/");
    const mine = await ticket(hidden);
    for (const path of [mine, `${mine}/source`, steady(shown.html), embedded, steady(shown.md), steady(shown.jsx)]) {
      const { headers } = await service.ask("GET", `${path}?tab=2`);
      const [runtime, ...own] = headers.get("connection-allowlist")?.match(/"[^"]*"/g) ?? [];
      expect(runtime).toStartWith(`"${origin}/_runtime/`);
      expect(own).toEqual([`"${origin}${path}"`]);
    }
  });

  test("has another tag at another address, since its headers differ", async () => {
    const tagOf = async (path: string) => (await service.ask("GET", path)).headers.get("etag");
    const tag = await tagOf(steady(shown.html));
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect(await tagOf(`${steady(shown.html)}?tab=2`)).toBe(tag);
    const twin = await service.setup.call(
      "version.create",
      { artifactId: shown.html.artifactId, content: `${sources.html}\n` },
      { as: owner.token },
    );
    await service.setup.call(
      "version.restore",
      { artifactId: shown.html.artifactId, versionNumber: 1 },
      { as: owner.token },
    );
    expect(twin.versionNumber).toBe(2);
    expect(await tagOf(steady(shown.html, 3))).not.toBe(tag);
  });

  test("over and over gets half of its reader's reads, and takes none of the others", async () => {
    const limited = await createService({ rateLimits: { reads: 10, writes: 0 } });
    const person = await limited.setup.person();
    const { slug } = await limited.setup.project(person.token);
    const [loops, other] = [
      await limited.setup.publish(person.token, slug, { type: "html", content: "<script>location.reload()</script>" }),
      await limited.setup.publish(person.token, slug, { type: "html", content: "<p>other</p>" }),
    ];
    const statusOf = async (artifact: Artifact, query = "") =>
      (await limited.ask("GET", `${steady(artifact)}${query}`)).status;
    const statuses: number[] = [];
    for (let load = 0; load < 20; load++) statuses.push(await statusOf(loops, `?${load}`));
    expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(15).fill(429)]);
    for (let load = 0; load < 5; load++) statuses.push(await statusOf(other));
    expect(statuses.slice(20)).toEqual(Array<number>(5).fill(200));
    await limited.close();
  });
});
