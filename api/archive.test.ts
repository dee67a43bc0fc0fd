// Downloads of a version with its files: what they contain, who gets them, and what they cost.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Input } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";
import { closeThreads } from "@plinth/domain/threads/pool";
import type { TestPerson } from "@plinth/domain/test/context";
import { unzipSync } from "fflate";

import { archivesUnderWay } from "./archive-stream.ts";
import { createService, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: string;

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function uploaded(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) {
  const given: { path: string; sha256: string }[] = [];
  for (const [path, content] of Object.entries(files)) {
    const file = typeof content === "string" ? bytesOf(content) : content;
    const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
    await service.setup.call("file.upload", { sha256 }, { as: owner.token, file });
    given.push({ path, sha256 });
  }
  return given;
}

const publish = async (
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  more: Partial<Input<"artifact.create">> = {},
) => service.setup.publish(owner.token, project, { files: await uploaded(files), content: "# Text\n", ...more });

const archive = (artifactId: string, query = "", more: object = { as: owner.token }) =>
  service.ask("GET", `/api/artifacts/${artifactId}/archive${query}`, more);

/** The texts in the zip by their paths. */
async function contentsOf(response: Response): Promise<Record<string, string>> {
  expect(response.status).toBe(200);
  const zip = new Uint8Array(await response.arrayBuffer());
  expect(zip.length).toBe(Number(response.headers.get("content-length")));
  const decoder = new TextDecoder();
  return Object.fromEntries(Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, decoder.decode(bytes)]));
}

describe("the zip of a version", () => {
  test("has the document at its place among its files", async () => {
    const { artifactId, slug } = await publish(
      { "img/größe 1.png": "picture", "guide/data.csv": "1,2", "empty.txt": "" },
      { sourcePath: "guide/setup.md" },
    );
    const response = await archive(artifactId);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": `attachment; filename*=UTF-8''${slug}-v1.zip`,
      "x-content-type-options": "nosniff",
      "cache-control": "public, no-cache",
      vary: "authorization, cookie, x-share-token",
    });
    expect(await contentsOf(response)).toEqual({
      "guide/setup.md": "# Text\n",
      "img/größe 1.png": "picture",
      "guide/data.csv": "1,2",
      "empty.txt": "",
    });
  });

  test.each([
    [{}, {}, (slug: string) => `${slug}.md`],
    [{ "a.png": "a" }, { documentPath: "docs/any.md" }, (slug: string) => `docs/${slug}.md`],
    [{ "README.md": "another" }, { sourcePath: "readme.md" }, (slug: string) => `${slug}.md`],
    [{ "notes.md/a.png": "within" }, { sourcePath: "notes.md" }, (slug: string) => `${slug}.md`],
  ])("beside %p, published with %p, the document has a free name", async (files, more, nameOf) => {
    const { artifactId, slug } = await publish(files, more);
    const contents = await contentsOf(await archive(artifactId));
    expect(contents).toEqual({ ...files, [nameOf(slug)]: "# Text\n" });
  });

  test("numbers the document's name where files have all others", async () => {
    const slug = service.setup.name("taken");
    const { artifactId } = await publish({ [`${slug}.md`]: "one", [`${slug}-2.md`]: "two" }, { slug });
    expect((await contentsOf(await archive(artifactId)))[`${slug}-3.md`]).toBe("# Text\n");
  });

  test("is of the version that is named, else of the latest", async () => {
    const { artifactId, slug } = await publish({ "a.txt": "first" });
    const files = await uploaded({ "b.txt": "second" });
    await service.setup.call("version.create", { artifactId, content: "Second", files }, { as: owner.token });
    expect(await contentsOf(await archive(artifactId, "?version=1"))).toEqual({
      [`${slug}.md`]: "# Text\n",
      "a.txt": "first",
    });
    expect(await contentsOf(await archive(artifactId))).toEqual({ [`${slug}.md`]: "Second", "b.txt": "second" });
    expect((await archive(artifactId, "?version=3")).status).toBe(404);
  });

  test("is 304 for who has it, without reading a file; other names are another zip", async () => {
    const { artifactId } = await publish({ "a.txt": "a" });
    const first = await archive(artifactId);
    await first.bytes();
    const etag = first.headers.get("etag") ?? "";
    const again = () => archive(artifactId, "", { as: owner.token, headers: { "if-none-match": etag } });
    const statements = await service.setup.statementsOf(async () => {
      expect((await again()).status).toBe(304);
    });
    expect(statements).toBe(1);
    const slug = service.setup.name("renamed");
    await service.setup.call("artifact.patch", { artifactId, slug }, { as: owner.token });
    expect(await contentsOf(await again())).toEqual({ [`${slug}.md`]: "# Text\n", "a.txt": "a" });
  });

  test("is the same to the byte each time", async () => {
    const { artifactId } = await publish({ "a.txt": "a", "b/c.txt": "c" });
    const [one, other] = [await archive(artifactId), await archive(artifactId)];
    expect(await one.bytes()).toEqual(await other.bytes());
  });
});

describe("who gets it", () => {
  test("the callers who can read the version: its members and holders of a share link", async () => {
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await publish({ "a.txt": "private" }, { access });
    const link = await service.setup.call("shareLink.create", { artifactId, role: "viewer" }, { as: owner.token });
    const byLink = await archive(artifactId, "", { headers: { "x-share-token": link.token ?? "" } });
    expect(byLink.headers.get("cache-control")).toBe("private, no-cache");
    expect((await contentsOf(byLink))["a.txt"]).toBe("private");
    const stranger = await service.setup.person();
    const refused = [await archive(artifactId, "", {}), await archive(artifactId, "", { as: stranger.token })];
    expect(refused.map(({ status }) => status)).toEqual([404, 404]);
    await service.setup.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: owner.token });
    expect((await archive(artifactId, "", { headers: { "x-share-token": link.token ?? "" } })).status).toBe(404);
  });

  test("a key needs artifacts:read", async () => {
    const { artifactId } = await publish({}, { access: { publicView: false, publicEdit: false } });
    const as = await service.setup.key(owner.userId, ["artifacts:create"]);
    expect((await archive(artifactId, "", { as })).status).toBe(403);
  });

  test("a version whose content retention removed is 404 version_expired", async () => {
    const { artifactId } = await publish({ "a.txt": "a" });
    await service.setup.call("version.create", { artifactId, content: "Second" }, { as: owner.token });
    await service.setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
      uuidOf("art", artifactId),
    ]);
    const refused = await archive(artifactId, "?version=1");
    expect(await refused.json()).toMatchObject({ status: 404, code: "version_expired" });
  });
});

describe("what it costs", () => {
  const mebibyte = () => crypto.getRandomValues(new Uint8Array(65_536)).toBase64().repeat(12).slice(0, 1_048_576);

  test("files are read 4 MiB at a time, as they are sent", async () => {
    const names = Array.from({ length: 10 }, (_, n) => `${n}.txt`);
    const { artifactId } = await publish(Object.fromEntries(names.map((name) => [name, mebibyte()])));
    let response = new Response();
    // The version, and the list of its files.
    const begun = await service.setup.statementsOf(async () => void (response = await archive(artifactId)));
    expect(begun).toBe(2);
    const read = await service.setup.statementsOf(async () => {
      expect(Object.keys(await contentsOf(response))).toHaveLength(11);
    });
    expect(read).toBe(3);
  });

  test("a version without files is one statement", async () => {
    const { artifactId } = await service.setup.publish(owner.token, project);
    const statements = await service.setup.statementsOf(async () => void (await (await archive(artifactId)).bytes()));
    expect(statements).toBe(1);
  });

  test("a reader who leaves ends the reading, and frees the place", async () => {
    const names = Array.from({ length: 10 }, (_, n) => `${n}.txt`);
    const { artifactId } = await publish(Object.fromEntries(names.map((name) => [name, mebibyte()])));
    const reader = (await archive(artifactId)).body?.getReader();
    await reader?.read();
    expect(archivesUnderWay()).toBe(1);
    const after = await service.setup.statementsOf(async () => reader?.cancel());
    expect([after, archivesUnderWay()]).toEqual([0, 0]);
  });

  test("HEAD has the headers alone, and takes no place", async () => {
    const { artifactId } = await publish({ "a.txt": "a" });
    const whole = await archive(artifactId);
    const head = await service.ask("HEAD", `/api/artifacts/${artifactId}/archive`, { as: owner.token });
    expect(head.headers.get("content-length")).toBe(whole.headers.get("content-length"));
    expect(await head.text()).toBe("");
    await whole.body?.cancel();
    expect(archivesUnderWay()).toBe(0);
  });

  test("one caller has four at once, and others go on", async () => {
    const { artifactId } = await publish({ "a.txt": "a" });
    const open = await Promise.all([1, 2, 3, 4].map(() => archive(artifactId)));
    const fifth = await archive(artifactId);
    expect(await fifth.json()).toMatchObject({ status: 429, code: "rate_limited" });
    const other = await service.setup.person();
    expect(Object.keys(await contentsOf(await archive(artifactId, "", { as: other.token })))).toHaveLength(2);
    await open[0]?.body?.cancel();
    expect(Object.keys(await contentsOf(await archive(artifactId)))).toHaveLength(2);
    for (const response of open.slice(1)) await response.body?.cancel();
    expect(archivesUnderWay()).toBe(0);
  });

  test("files that are removed while it is sent break it, and free the place", async () => {
    const { artifactId } = await publish({ "a.txt": "a" });
    const response = await archive(artifactId);
    await service.setup.db.run(
      "DELETE FROM file_set_file f USING file_set s WHERE s.file_set_id = f.file_set_id AND s.artifact_id = $1",
      [uuidOf("art", artifactId)],
    );
    const ended = await response.arrayBuffer().then(
      () => "whole",
      () => "broken",
    );
    expect([ended, archivesUnderWay()]).toEqual(["broken", 0]);
  });
});
