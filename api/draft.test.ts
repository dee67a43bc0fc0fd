// Drafts: the frame's response for an unpublished text, the refusals, and that nothing is stored.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import { publicDraftBytes } from "@plinth/contract/limits";
import { openDraftTicket, sealDraftTicket } from "@plinth/domain/content/draft-ticket";
import { sealTicket } from "@plinth/domain/content/ticket";
import { tokenHash } from "@plinth/domain/tokens/token";
import type { TestPerson } from "@plinth/domain/test/context";
import { closeThreads } from "@plinth/domain/threads/pool";

import { createService, origin, type Service } from "./test/service.ts";

const maxContentBytes = 4096;
const types = ["md", "html", "jsx"] as const;
const sources = {
  md: "# Heading\n\n[Other](other)\n\n<script>alert(1)</script>\n",
  html: "<h1>Heading</h1>\n<script>document.title = `a\nb`</script>\n",
  jsx: "export default () => <b>Heading</b>;\n",
};

let service: Service;
let owner: TestPerson;
let projectSlug: string;
const artifacts = {} as Record<ArtifactType, Artifact>;
let workspaceId: string;

beforeAll(async () => {
  service = await createService({ maxContentBytes });
  owner = await service.setup.person();
  ({ slug: projectSlug } = await service.setup.project(owner.token));
  const access = { publicView: false, publicEdit: false };
  for (const type of types)
    artifacts[type] = await service.setup.publish(owner.token, projectSlug, { type, content: sources[type], access });
  ({ workspaceId } = artifacts.md);
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const pathOf = ({ url }: { url: string }) => url.slice(origin.length);
const ofArtifact = async (type: ArtifactType = "md") =>
  pathOf(
    await service.setup.call("artifact.draftTicket", { artifactId: artifacts[type].artifactId }, { as: owner.token }),
  );
const ofWorkspace = async () =>
  pathOf(await service.setup.call("workspace.draftTicket", { workspaceId }, { as: owner.token }));

const form = { "content-type": "application/x-www-form-urlencoded", origin, "sec-fetch-dest": "iframe" };
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  service.ask("POST", path, { body: new URLSearchParams(fields).toString(), headers: { ...form, ...headers } });
/** In the form in which a browser encodes the text of a field. */
const sent = (text: string) => text.replaceAll("\n", "\r\n");
const withoutNonce = (text: string) => text.replaceAll(/nonce[-=]["']?[A-Za-z0-9+/=]+/g, "nonce");

describe("a draft", () => {
  test("of an artifact with files is among those of its latest version, for as long as its author may see them", async () => {
    const access = { publicView: false, publicEdit: false };
    const files = await Promise.all(
      Object.entries({ "guide/img/a.svg": "<svg/>", "guide/rows.js": "export const rows = 17;" }).map(
        async ([path, text]) => {
          const file = new TextEncoder().encode(text);
          const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
          await service.setup.call("file.upload", { sha256 }, { as: owner.token, file });
          return { path, sha256 };
        },
      ),
    );
    const more = { access, files, documentPath: "guide/index.jsx" };
    const source = 'import { rows } from "./rows"; export default () => <b>{rows}</b>;';
    for (const [type, content, shows] of [
      ["md", "![A](img/a.svg)", "img/a.svg"],
      ["html", '<img src="img/a.svg">', "img/a.svg"],
      ["jsx", source, "17"],
    ] as const) {
      const { artifactId } = await service.setup.publish(owner.token, projectSlug, { type, content, ...more });
      const { url } = await service.setup.call("artifact.draftTicket", { artifactId }, { as: owner.token });
      expect(pathOf({ url })).toMatch(/^\/_content\/draft\/[^/]+\/[^/]+\/files\/guide\/$/);
      const drafted = await post(pathOf({ url }), { content });
      expect([drafted.status, await drafted.clone().text()]).toEqual([200, expect.stringContaining(shows)]);
      expect(drafted.headers.get("content-security-policy")).toContain(url.replace(/guide\/$/, ""));
      const image = `${pathOf({ url })}img/a.svg`;
      expect((await service.ask("GET", image)).status).toBe(200);
      await service.setup.call("artifact.delete", { artifactId }, { as: owner.token });
      expect((await service.ask("GET", image)).status).toBe(404);
    }
  });

  for (const type of types)
    test(`of ${type} is the document and the headers that the published one has, but for the address to load again`, async () => {
      const { artifactId, title } = artifacts[type];
      const { url } = await service.setup.call("artifact.ticket", { artifactId }, { as: owner.token });
      const published = await service.ask("GET", pathOf({ url }));
      const headersOf = ({ headers }: Response) =>
        Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id"));
      const again = ` "${origin}${pathOf({ url })}"`;
      const headers = headersOf(published);
      expect(headers["connection-allowlist"]).toContain(again);
      const unaddressed = {
        ...headers,
        "connection-allowlist": headers["connection-allowlist"]?.replace(again, "") ?? "",
      };
      const expected = [withoutNonce(await published.text()), withoutNonce(JSON.stringify(unaddressed))];
      const fields = { content: sent(sources[type]) };
      for (const drafted of [
        await post(await ofArtifact(type), fields),
        await post(await ofWorkspace(), { ...fields, type, title, projectSlug }),
      ]) {
        expect(drafted.status).toBe(200);
        expect(withoutNonce(await drafted.clone().text())).toBe(expected[0] ?? "");
        expect(withoutNonce(JSON.stringify(headersOf(drafted)))).toBe(expected[1] ?? "");
        expect(drafted.headers.get("cache-control")).toBe("private, no-store");
        expect(drafted.headers.get("content-security-policy")).toStartWith("sandbox allow-scripts");
        expect(drafted.headers.get("set-cookie")).toBeNull();
      }
    });

  test("is neither stored nor remembered", async () => {
    const counts = async () =>
      await service.setup.db.run(
        `SELECT (SELECT count(*) FROM content) AS contents, (SELECT count(*) FROM rendering) AS renderings,
                (SELECT count(*) FROM version) AS versions, (SELECT count(*) FROM outbox) AS jobs,
                (SELECT count(*) FROM audit_event) AS events`,
      );
    const before = await counts();
    for (const type of types) expect((await post(await ofArtifact(type), { content: sources[type] })).status).toBe(200);
    for (const type of types)
      expect((await post(await ofWorkspace(), { type, title: "New", content: sources[type] })).status).toBe(200);
    expect(await counts()).toEqual(before);
  });

  test("of jsx that does not compile says where, in the frame and to the page around it", async () => {
    const content = "export default () => (\n  <p>{</p></script><!--\n);\n";
    const answer = await post(await ofArtifact("jsx"), { content: sent(content) });
    const html = await answer.text();
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(html).toMatch(/<h2>Line [23], column \d+<\/h2>/);
    expect(html).toContain("&lt;/script&gt;");
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    const nonce = /<script nonce="([^"]+)">/.exec(html)?.[1] ?? "";
    expect(answer.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
    expect(html).toContain('"type":"plinth:error"');
  });

  test("takes its type, title and place from the artifact, not from the form", async () => {
    const answer = await post(await ofArtifact("md"), {
      type: "html",
      title: "<i>Mine</i>",
      projectSlug: "elsewhere",
      content: "<script>alert(1)</script>\n\n[Other](other)",
    });
    const html = await answer.text();
    // Markdown shows a script as text; as html it would be an element.
    expect(html).not.toContain("<script>alert(1)");
    expect(html).toContain("&lt;script>alert(1)");
    expect(html).not.toContain("Mine");
    expect(html).toContain(`/${owner.username}/${projectSlug}/other`);
  });
});

describe("by whose right", () => {
  test("a share link that edits opens one without an account, until it is revoked", async () => {
    const { artifactId } = artifacts.md;
    const made = await service.setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
    const asked = await service.ask("GET", `/api/artifacts/${artifactId}/draft-ticket`, {
      headers: { "x-share-token": made.token ?? "" },
    });
    expect(asked.status).toBe(200);
    const path = pathOf((await asked.json()) as { url: string });
    expect((await post(path, { content: "# By link" })).status).toBe(200);
    await service.setup.call("shareLink.revoke", { shareLinkId: made.shareLinkId }, { as: owner.token });
    expect((await post(path, { content: "# By link" })).status).toBe(404);
  });

  test("what ends a credential ends its tickets", async () => {
    const key = await service.setup.key(owner.userId, ["artifacts:update"]);
    const { artifactId } = artifacts.md;
    const path = pathOf(await service.setup.call("artifact.draftTicket", { artifactId }, { as: key }));
    expect((await post(path, { content: "x" })).status).toBe(200);
    await service.setup.db.run("UPDATE credential SET revoked_at = now() WHERE hash = decode($1, 'hex')", [
      tokenHash(key),
    ]);
    expect((await post(path, { content: "x" })).status).toBe(404);
  });

  test("it is counted", async () => {
    const limited = await createService({ rateLimits: { reads: 3, writes: 0 } });
    try {
      const person = await limited.setup.person();
      const { slug } = await limited.setup.project(person.token);
      const { artifactId } = await limited.setup.publish(person.token, slug);
      const path = pathOf(await limited.setup.call("artifact.draftTicket", { artifactId }, { as: person.token }));
      const statuses: number[] = [];
      for (let turn = 0; turn < 6; turn++) {
        const body = new URLSearchParams({ content: "x" }).toString();
        statuses.push((await limited.ask("POST", path, { body, headers: form })).status);
      }
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});

test("no caller has any number of texts waiting to be rendered, and none keeps another's from it", async () => {
  const path = await ofArtifact("md");
  const other = await service.setup.person();
  const { slug } = await service.setup.project(other.token);
  const { artifactId } = await service.setup.publish(other.token, slug);
  const others = pathOf(await service.setup.call("artifact.draftTicket", { artifactId }, { as: other.token }));
  const many = Array.from({ length: 40 }, () => post(path, { content: sources.md }));
  const [answers, unhindered] = await Promise.all([Promise.all(many), post(others, { content: "x" })]);
  expect(unhindered.status).toBe(200);
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses).toContain(429);
  expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("2");
  expect((await post(path, { content: sources.md })).status).toBe(200);
});

describe("without an account", () => {
  const ticket = async (from: Service) => pathOf(await from.setup.call("artifact.publicDraftTicket", {}));
  const send = (from: Service, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    from.ask("POST", path, { body: new URLSearchParams(fields).toString(), headers: { ...form, ...headers } });

  test.each(types)("a text of %s is rendered as after publishing, and nothing is stored", async (type) => {
    const counted = async () => [await service.setup.count("version"), await service.setup.count("outbox")];
    const before = await counted();
    const path = await ticket(service);
    const answer = await send(service, path, { content: sent(sources[type]), type, title: "T" });
    expect(answer.status).toBe(200);
    const published = await post(await ofWorkspace(), { content: sent(sources[type]), type, title: "T" });
    const csp = (response: Response) => withoutNonce(response.headers.get("content-security-policy") ?? "");
    expect(csp(answer)).toBe(csp(published));
    expect(csp(answer)).toContain("sandbox");
    expect(await answer.text()).toContain("Heading");
    expect(await counted()).toEqual(before);
  });

  test("it is refused as a top-level page and from other origins, as every draft is", async () => {
    const path = await ticket(service);
    for (const headers of [{ "sec-fetch-dest": "document" }, { origin: "https://evil.example" }, { origin: "null" }])
      expect((await send(service, path, { content: "x", type: "md" }, headers)).status).toBe(403);
  });

  test("a text of more than 200 KB is refused, and so is the 21st in a minute from one address", async () => {
    const large = await createService({ rateLimits: { reads: 600, writes: 600 } });
    try {
      const path = await ticket(large);
      const content = "x".repeat(publicDraftBytes + 1);
      expect((await send(large, path, { content, type: "md" })).status).toBe(413);
      const statuses: number[] = [];
      for (let turn = 0; turn < 20; turn++)
        statuses.push((await send(large, path, { content: "x", type: "md" })).status);
      // The one that was too large is counted as well.
      expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 429]);
    } finally {
      await large.close();
    }
  });

  test("at most two texts of one address wait at once", async () => {
    const one = await createService();
    try {
      const path = await ticket(one);
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => send(one, path, { content: sources.md, type: "md" })),
      );
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]?.headers.get("retry-after")).toBe("2");
      expect((await send(one, path, { content: sources.md, type: "md" })).status).toBe(200);
    } finally {
      await one.close();
    }
  });
});

describe("a draft is refused", () => {
  let good: string;
  beforeEach(async () => {
    good = await ofArtifact("html");
    expect((await post(good, { content: "x" })).status).toBe(200);
  });

  test.each([
    ["as a page of its own", { "sec-fetch-dest": "document" }, 403],
    ["as anything but a frame's document", { "sec-fetch-dest": "empty" }, 403],
    ["from a page of another origin", { origin: "https://evil.example" }, 403],
    ["from a sandboxed document", { origin: "null" }, 403],
    ["for what is no form", { "content-type": "application/json" }, 400],
    ["for a form of several parts", { "content-type": "multipart/form-data; boundary=x" }, 400],
    ["for a text", { "content-type": "text/plain" }, 400],
  ])("%s", async (_what, headers, status) => {
    const answer = await post(good, { content: "<b>hostile</b>" }, headers);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(await answer.text()).not.toContain("hostile");
  });

  test("without an origin at all", async () => {
    const { origin: _, ...headers } = form;
    const answer = await service.ask("POST", good, { body: "content=x", headers });
    expect(answer.status).toBe(403);
  });

  test("by a ticket that is forged, cut, of another purpose or past its minute", async () => {
    const { secret } = service.setup.instance.config;
    const text = good.split("/").at(-1) ?? "";
    const opened = openDraftTicket(secret, text);
    if (opened === null) throw new Error("the ticket is none");
    const inAMinute = new Date(Date.now() + 60_000);
    const forged = [
      `${text}A`,
      text.slice(0, -1),
      text.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      sealDraftTicket("another secret", opened),
      sealDraftTicket(secret, { ...opened, madeWith: null }),
      sealDraftTicket(secret, { ...opened, place: { kind: "workspace", workspaceId } }).replace(/^./, "_"),
      sealTicket(secret, {
        artifactId: artifacts.html.artifactId,
        versionNumber: 1,
        madeWith: opened.madeWith,
        expiresAt: inAMinute,
      }),
      "none",
    ];
    const seen = new Set<string>();
    for (const ticket of forged) {
      const answer = await post(
        `/_content/draft/${ticket}`,
        { content: "<b>hostile</b>" },
        { "x-request-id": "the-same-request" },
      );
      expect([ticket, answer.status]).toEqual([ticket, 404]);
      seen.add(await answer.text());
    }
    expect(seen.size).toBe(1);
    const late = sealDraftTicket(secret, { ...opened, expiresAt: new Date(Date.now() - 1) });
    const answer = await post(`/_content/draft/${late}`, { content: "<b>hostile</b>" });
    expect(answer.status).toBe(410);
    expect(await answer.text()).not.toContain("hostile");
  });

  test("for more than the content may have", async () => {
    const [most, more] = ["é".repeat(maxContentBytes / 2), `${"é".repeat(maxContentBytes / 2)}x`];
    expect((await post(good, { content: most })).status).toBe(200);
    for (const content of [more, "x".repeat(maxContentBytes * 4 + 300_000)]) {
      const answer = await post(good, { content });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([413, "content_too_large"]);
    }
  });

  test("and a browser's frame says so in words, as text", async () => {
    const body = new URLSearchParams({ content: "x".repeat(maxContentBytes + 1) });
    const answer = await service.ask("POST", good, {
      body: body.toString(),
      headers: { ...form, accept: "text/html" },
    });
    expect(answer.status).toBe(413);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(await answer.text()).toContain("<h1>This draft is not shown</h1>");
  });

  test("of a type there is not", async () => {
    for (const type of ["", "svg", "constructor"])
      expect((await post(await ofWorkspace(), { type, title: "x", content: "x" })).status).toBe(400);
  });

  test("by asking for the address", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) expect((await service.ask(method, good)).status).toBe(404);
  });
});
