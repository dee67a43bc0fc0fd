// Files over HTTP: uploads with raw bodies, reads, and the frame with its document and the files beside it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { filesLimits } from "@plinth/contract/limits";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { closeThreads } from "@plinth/domain/threads/pool";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: string;
let shown: Artifact;
let hidden: Artifact;

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4, 5, 6]);
const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const textFile = (text: string) => new TextEncoder().encode(text);

const put = (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, sha256 = hashOf(bytes)) =>
  service.ask("PUT", `/api/files/${sha256}`, { as: owner.token, body: bytes, headers });

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person({ plan: "team" });
  project = (await service.setup.project(owner.token)).slug;
  const files: { path: string; sha256: string }[] = [];
  for (const [path, bytes] of [
    ["img/chart one.png", png],
    ["clip.mp4", textFile("film")],
    ["data.csv", textFile("a,b\n1,2\n")],
    ["site/about.html", textFile("<h1>About</h1><script>1</script>")],
  ] as const) {
    expect((await put(new Uint8Array(bytes))).status).toBe(200);
    files.push({ path, sha256: hashOf(bytes) });
  }
  const content =
    "![Chart](../img/chart%20one.png) [Data](../data.csv) [Next](./next.md#part) [Other](../other) [Root](/x)\n\n" +
    '<video src="../clip.mp4"></video> ![Gone](gone.png)\n';
  const more = { content, files, sourcePath: "guide/report.md" };
  shown = await service.setup.publish(owner.token, project, more);
  const access = { publicView: false, publicEdit: false };
  hidden = await service.setup.publish(owner.token, project, {
    type: "html",
    content: '<img src="img/chart%20one.png">',
    files,
    access,
  });
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

describe("uploading", () => {
  test("takes a raw body of any type, and refuses what is compressed or too large, before it is read", async () => {
    expect((await put(textFile("one"), { "content-type": "image/png" })).status).toBe(200);
    expect((await put(textFile("two"), { "content-encoding": "gzip" })).status).toBe(400);
    const large = String(filesLimits.fileBytes + 1);
    const refused = await put(textFile("three"), { "content-length": large });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([413, "content_too_large"]);
  });

  test("a body that is one byte too long is refused, and one that fits is taken", async () => {
    const fits = new Uint8Array(filesLimits.fileBytes);
    expect((await put(fits)).status).toBe(200);
    const long = new Uint8Array(filesLimits.fileBytes + 1);
    expect((await put(long)).status).toBe(413);
  });

  test("without a credential nothing of the body is read", async () => {
    const answer = await service.ask("PUT", `/api/files/${hashOf(png)}`, { body: png });
    expect(answer.status).toBe(401);
  });

  test("takes an empty file, without a body", async () => {
    const sha256 = hashOf(new Uint8Array());
    const answer = await service.ask("PUT", `/api/files/${sha256}`, { as: owner.token });
    expect(await answer.json()).toEqual({ sha256, sizeBytes: 0 });
  });
});

describe("reading a file", () => {
  test("its slashes may be written as they are, or encoded", async () => {
    for (const path of ["img/chart%20one.png", "img%2Fchart%20one.png"]) {
      const answer = await service.ask("GET", `/api/artifacts/${shown.artifactId}/files/${path}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png);
      expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    }
  });

  test("is 304 for who has it, and 404 for who may not see it", async () => {
    const path = `/api/artifacts/${shown.artifactId}/files/data.csv`;
    const etag = (await service.ask("GET", path)).headers.get("etag") ?? "";
    expect((await service.ask("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await service.ask("GET", `/api/artifacts/${hidden.artifactId}/files/data.csv`)).status).toBe(404);
  });
});

/** Follows the redirect of a content URL to its document among its files. */
async function framed(path: string, headers: Record<string, string> = {}) {
  const redirect = await service.ask("GET", path, { headers });
  expect([redirect.status, redirect.headers.get("cache-control")]).toEqual([302, "no-store"]);
  const location = (redirect.headers.get("location") ?? "").slice(origin.length);
  return { location, answer: await service.ask("GET", location, { headers }) };
}

describe("the frame of a public version with files", () => {
  test("is at the document's directory, and its policy names exactly its files", async () => {
    const { location, answer } = await framed(`/_content/p/${shown.artifactId}/1`);
    expect(location).toBe(`/_content/p/${shown.artifactId}/1/files/guide/`);
    const root = `${origin}/_content/p/${shown.artifactId}/1/files/`;
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain(`media-src data: blob: ${root};`);
    expect(/img-src ([^;]*)/.exec(policy)?.[1]).toContain(root);
    // Markdown runs nothing of its author's, so it fetches nothing.
    expect(policy).toContain("connect-src 'none'");
    expect(answer.headers.get("etag")).not.toBeNull();
  });

  test("markdown shows its files, and leads elsewhere from its folder in the project", async () => {
    const { answer } = await framed(`/_content/p/${shown.artifactId}/1`);
    const html = await answer.text();
    const root = `${origin}/_content/p/${shown.artifactId}/1/files/`;
    const projectUrl = `${origin}/${owner.username}/${project}/`;
    expect(html).toContain(`<img src="${root}img/chart%20one.png" alt="Chart"`);
    expect(html).toContain(`href="${root}data.csv"`);
    expect(html).toContain(`<video src="${root}clip.mp4" controls preload="metadata"></video>`);
    expect(html).toContain(`href="${projectUrl}guide/next#part"`);
    expect(html).toContain(`href="${projectUrl}guide/../other"`);
    expect(html).toContain(`href="${origin}/x"`);
    expect(html).toContain('<span class="missing-image" title="gone.png was not published">');
  });

  test("a file is for documents of opaque origins, inert as a page, and saved when opened", async () => {
    const path = `/_content/p/${shown.artifactId}/1/files/img/chart%20one.png`;
    const answer = await service.ask("GET", path);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "public, no-cache",
      "content-disposition": "attachment; filename*=UTF-8''chart%20one.png",
    });
    expect(headers["content-security-policy"]).toContain("sandbox");
    const again = { headers: { "if-none-match": headers["etag"] ?? "" } };
    expect((await service.ask("GET", path, again)).status).toBe(304);
  });

  test.each([
    ["bytes=0-3", 206, "bytes 0-3/10", 4],
    ["bytes=8-", 206, "bytes 8-9/10", 2],
    ["bytes=-3", 206, "bytes 7-9/10", 3],
    ["bytes=0-99", 206, "bytes 0-9/10", 10],
    ["bytes=10-", 416, "bytes */10", 0],
    ["bytes=0-1,4-5", 200, null, 10],
    ["lines=1-2", 200, null, 10],
  ])("Range %s is %i", async (range, status, contentRange, length) => {
    const path = `/_content/p/${shown.artifactId}/1/files/img/chart%20one.png`;
    const answer = await service.ask("GET", path, { headers: { range } });
    const body = await answer.arrayBuffer();
    expect([answer.status, answer.headers.get("content-range"), body.byteLength]).toEqual([
      status,
      contentRange,
      length,
    ]);
  });

  test("a page of the files is framed as an html document is, and sent as it is to a script", async () => {
    const path = `/_content/p/${shown.artifactId}/1/files/site/about.html`;
    const page = await service.ask("GET", path, { headers: { "sec-fetch-dest": "iframe", "if-none-match": "*" } });
    expect(page.headers.get("content-security-policy")).toContain("sandbox allow-scripts");
    expect(await page.text()).toContain("<h1>About</h1>");
    const raw = await service.ask("GET", path, { headers: { "sec-fetch-dest": "empty" } });
    expect(await raw.text()).toBe("<h1>About</h1><script>1</script>");
  });

  test.each(["guide", "guide/other/", "img/", "", "nothing.png", "%zz", "img%2F..%2Fdata.csv", "IMG/chart%20one.png"])(
    "there is nothing at %j",
    async (path) => {
      expect((await service.ask("GET", `/_content/p/${shown.artifactId}/1/files/${path}`)).status).toBe(404);
    },
  );

  test("neither file nor document is there for a version without files, or a private artifact", async () => {
    const bare = await service.setup.publish(owner.token, project);
    expect((await service.ask("GET", `/_content/p/${bare.artifactId}/1/files/`)).status).toBe(404);
    expect((await service.ask("GET", `/_content/p/${hidden.artifactId}/1/files/data.csv`)).status).toBe(404);
    expect((await service.ask("GET", `/_content/p/${hidden.artifactId}/1/files/`)).status).toBe(404);
  });
});

describe("the frame of a private version with files", () => {
  const ticketOf = async (as: string) => {
    const { url } = await service.setup.call("artifact.ticket", { artifactId: hidden.artifactId }, { as });
    return url.slice(origin.length);
  };

  test("its ticket opens the document and its files, which no shared cache keeps", async () => {
    const { location, answer } = await framed(await ticketOf(owner.token));
    expect(answer.status).toBe(200);
    const policy = answer.headers.get("content-security-policy") ?? "";
    for (const directive of ["script-src", "style-src", "img-src", "font-src", "media-src", "connect-src"])
      expect(new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]).toContain(origin + location);
    const file = await service.ask("GET", `${location}img/chart%20one.png`);
    expect([file.status, file.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect(await answer.text()).toContain("data-files=");
  });

  test("a file is 404 from the moment in which the link is revoked that it was opened with", async () => {
    const link = await service.setup.call(
      "shareLink.create",
      { artifactId: hidden.artifactId, role: "viewer" },
      { as: owner.token },
    );
    const headers = { "x-share-token": link.token ?? "" };
    const ticket = await service.ask("GET", `/api/artifacts/${hidden.artifactId}/ticket`, { headers });
    const { url } = (await ticket.json()) as { url: string };
    const { location } = await framed(url.slice(origin.length));
    const read = async () => (await service.ask("GET", `${location}data.csv`)).status;
    expect(await read()).toBe(200);
    await service.setup.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: owner.token });
    expect([await read(), (await service.ask("GET", location)).status]).toEqual([404, 404]);
  });

  test("a ticket of another instance or another artifact opens nothing", async () => {
    const { location } = await framed(await ticketOf(owner.token));
    const forged = location.replace(
      /_content\/(.)/,
      (_match, first: string) => `_content/${first === "A" ? "B" : "A"}`,
    );
    expect((await service.ask("GET", `${forged}data.csv`)).status).toBe(404);
  });
});
