// Publishing an uploaded zip as a document with its files: created, updated, put at an address, tried, and refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";
import type { NotTaken, VersionFiles } from "@plinth/contract/schemas/file";
import { zipOf, type ZipPart } from "@plinth/support/zip-of";
import { closeThreads } from "@plinth/domain/threads/pool";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let projectSlug: string;

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  projectSlug = (await service.setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const hashOf = (bytes: Uint8Array | string) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

async function uploaded(bytes: Uint8Array<ArrayBuffer>, as = owner.token): Promise<string> {
  const sha256 = hashOf(bytes);
  expect((await service.ask("PUT", `/api/files/${sha256}`, { as, body: bytes })).status).toBe(200);
  return sha256;
}
const archive = (parts: readonly ZipPart[], as = owner.token) => uploaded(zipOf(parts), as);

const report: ZipPart[] = [
  { name: "report/" },
  { name: "report/index.html", content: "<h1>Report</h1>" },
  { name: "report/data/1.png", content: "picture" },
  { name: "report/data/2.md", content: "# Error" },
];

const body = (more: object) => ({
  projectSlug,
  slug: service.setup.name("zip"),
  type: "html",
  title: "Report",
  access: { publicView: true, publicEdit: false },
  ...more,
});
const create = (more: object, query = "", as = owner.token) =>
  service.ask("POST", `/api/artifacts${query}`, { as, body: body(more) });

interface Refusal {
  readonly code: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}
const refusalOf = async (answer: Response) => {
  const { code, errors } = (await answer.json()) as Refusal;
  return { status: answer.status, code, errors };
};

const contentOf = async (artifactId: string) =>
  (await service.ask("GET", `/api/artifacts/${artifactId}/content`, { as: owner.token })).text();
const filesOf = async (artifactId: string, version: number) => {
  const path = `/api/artifacts/${artifactId}/versions/${version}/files`;
  const { files } = (await (await service.ask("GET", path, { as: owner.token })).json()) as VersionFiles;
  return files.map((file) => file.path);
};
const keptFiles = async () => {
  const [row] = await service.setup.db.run<{ files: number }>(
    "SELECT count(*)::int AS files FROM workspace_file WHERE workspace_id = $1",
    [uuidOf("wsp", owner.workspaceId)],
  );
  return row?.files;
};

test("a zip of a folder is a document with its files, and its next version", async () => {
  const created = await create({ archiveSha256: await archive(report) });
  const artifact = (await created.json()) as Artifact;
  expect([created.status, artifact.notTaken]).toEqual([201, undefined]);
  const { artifactId } = artifact;
  expect(await contentOf(artifactId)).toBe("<h1>Report</h1>");
  expect(await filesOf(artifactId, 1)).toEqual(["data/1.png", "data/2.md"]);
  const next = await archive([
    { name: "index.html", content: "<h1>Next</h1>" },
    { name: "tool.exe", content: "x" },
  ]);
  const answer = await service.ask("POST", `/api/artifacts/${artifactId}/versions`, {
    as: owner.token,
    body: { archiveSha256: next, expectedLatestVersion: 1 },
  });
  expect(answer.status).toBe(201);
  expect((await answer.json()) as Version).toMatchObject({
    versionNumber: 2,
    files: { count: 0 },
    notTaken: { count: 1, files: [{ path: "tool.exe", reason: "files of its type are not published" }] },
  });
  expect(await contentOf(artifactId)).toBe("<h1>Next</h1>");
});

test("at an address: created, the same again changes nothing, another is the next version", async () => {
  const slug = service.setup.name("put");
  const put = async (archiveSha256: string) => {
    const answer = await service.ask("PUT", `/api/by-path/${owner.username}/${projectSlug}/${slug}`, {
      as: owner.token,
      body: { type: "html", title: "Report", archiveSha256 },
    });
    const { latestVersion, unchanged, notTaken } = (await answer.json()) as Artifact & { unchanged?: true };
    return { status: answer.status, latestVersion, unchanged, count: notTaken?.count };
  };
  const hidden = [...report, { name: "report/.env", content: "x" }];
  const first = await archive(hidden);
  expect(await put(first)).toEqual({ status: 201, latestVersion: 1, unchanged: undefined, count: 1 });
  expect(await put(first)).toEqual({ status: 200, latestVersion: 1, unchanged: true, count: 1 });
  const other = await archive([...hidden, { name: "report/new.csv", content: "1" }]);
  expect(await put(other)).toEqual({ status: 200, latestVersion: 2, unchanged: undefined, count: 1 });
});

test("jsx at its place in the archive is compiled with the modules beside it", async () => {
  const archiveSha256 = await archive([
    { name: "src/app.jsx", content: 'import { said } from "../lib/said"; export default () => <p>{said}</p>;' },
    { name: "lib/said.js", content: 'export const said = "Hello";' },
  ]);
  const made = await create({ type: "jsx", archiveSha256, documentPath: "src/app.jsx" });
  expect(made.status).toBe(201);
  const { artifactId } = (await made.json()) as Artifact;
  expect(await filesOf(artifactId, 1)).toEqual(["lib/said.js"]);
});

test("a dry run says what would be, and keeps nothing", async () => {
  const archiveSha256 = await archive([...report, { name: "report/only-here.txt", content: `${Math.random()}` }]);
  const before = await keptFiles();
  const tried = await create({ archiveSha256 }, "?dryRun=true");
  expect([tried.status, ((await tried.json()) as Artifact).dryRun, await keptFiles()]).toEqual([200, true, before]);
});

test("files that were not taken are counted, and the first hundred named", async () => {
  const parts = Array.from({ length: 150 }, (_, n) => ({ name: `${String(n).padStart(3, "0")}.exe` }));
  const answer = await create({ archiveSha256: await archive([{ name: "index.html" }, ...parts]) });
  const { count, files } = ((await answer.json()) as { notTaken: NotTaken }).notTaken;
  expect([count, files.length, files[99]?.path]).toEqual([150, 100, "099.exe"]);
});

test("an editor by a link publishes an archive that was uploaded to the artifact", async () => {
  const { artifactId } = (await (await create({ archiveSha256: await archive(report) })).json()) as Artifact;
  const link = await service.setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
  const guest = await service.setup.person();
  const headers = { "x-share-token": link.token ?? "" };
  const theirs = zipOf([
    { name: "index.html", content: "<h1>Guest</h1>" },
    { name: "a.txt", content: "guest's own" },
  ]);
  const path = `/api/artifacts/${artifactId}`;
  const upload = (bytes: Uint8Array<ArrayBuffer>) =>
    service.ask("PUT", `${path}/uploads/${hashOf(bytes)}`, { as: guest.token, headers, body: bytes });
  expect((await upload(theirs)).status).toBe(200);
  const publish = (archiveSha256: string) =>
    service.ask("POST", `${path}/versions`, { as: guest.token, headers, body: { archiveSha256 } });
  expect((await publish(hashOf(theirs))).status).toBe(201);
  expect(await filesOf(artifactId, 2)).toEqual(["a.txt"]);
  // What the workspace has and the artifact has not stays unknown to them.
  const unseen = await archive([{ name: "index.html", content: "<h1>Other</h1>" }]);
  expect(await refusalOf(await publish(unseen))).toMatchObject({ status: 400, errors: [{ path: "archiveSha256" }] });
});

describe("refused", () => {
  test.each([
    [{ content: "x" }, "archiveSha256", "cannot be sent together with content"],
    [{ contentSha256: hashOf("x") }, "archiveSha256", "cannot be sent together with contentSha256"],
    [{ files: [] }, "files", "cannot be sent together with archiveSha256"],
    [{ documentPath: "gone.html" }, "documentPath", "is no file of the archive"],
    [{ documentPath: "../a.html" }, "documentPath", "must not contain an empty part, `.` or `..`"],
    [{ type: "md" }, "documentPath", "is required: index.html, which the archive has, is not md"],
  ])("with %j", async (more, path, message) => {
    const answer = await create({ archiveSha256: await archive(report), ...more });
    expect(await refusalOf(answer)).toMatchObject({ status: 400, errors: [{ path, message }] });
  });

  test.each([
    ["no zip", new TextEncoder().encode("<h1>"), "is the hash of a file that is no zip"],
    [
      "a bomb",
      zipOf([{ name: "index.html" }, { name: "a.txt", content: new Uint8Array(30_000_000), sizeBytes: 5 }]),
      "is the hash of a file that has an entry that cannot be unpacked: a.txt",
    ],
    [
      "a document that is no text",
      zipOf([{ name: "index.html", content: Uint8Array.of(0xff, 0xfe) }]),
      "is the hash of a zip whose index.html is not UTF-8 text",
    ],
    [
      "no document",
      zipOf([{ name: "a.html" }]),
      "is the hash of a zip without an index.html; name its document by documentPath",
    ],
  ])("%s", async (_what, bytes, message) => {
    const answer = await create({ archiveSha256: await uploaded(bytes) });
    expect(await refusalOf(answer)).toMatchObject({ status: 400, errors: [{ path: "archiveSha256", message }] });
  });

  test("another workspace's archive is unknown, and a document that is too large is 413", async () => {
    const stranger = await service.setup.person();
    const theirs = await archive([{ name: "index.html", content: "theirs" }], stranger.token);
    expect(await refusalOf(await create({ archiveSha256: theirs }))).toMatchObject({
      errors: [{ path: "archiveSha256", message: "is not the hash of an uploaded file" }],
    });
    const { maxContentBytes } = service.setup.instance.config;
    const large = [{ name: "index.html", content: new Uint8Array(maxContentBytes + 1).fill(0x20) }];
    expect((await create({ archiveSha256: await archive(large) })).status).toBe(413);
  });

  test("where the workspace has no room for its files, as an upload is", async () => {
    const poor = await service.setup.person({ plan: "free" });
    const { slug } = await service.setup.project(poor.token);
    const unlike = report.map((part) => ({
      ...part,
      ...(part.content !== undefined && { content: `${String(part.content)}!` }),
    }));
    const archiveSha256 = await archive(unlike, poor.token);
    const filler = await uploaded(new TextEncoder().encode("filler"), poor.token);
    await service.setup.db.run(
      "UPDATE workspace_file SET size_bytes = 1000000000 WHERE workspace_id = $1 AND sha256 = decode($2, 'hex')",
      [uuidOf("wsp", poor.workspaceId), filler],
    );
    const answer = await create({ archiveSha256, projectSlug: slug }, "", poor.token);
    expect(await refusalOf(answer)).toMatchObject({ status: 403, code: "storage_limit_reached" });
  });
});
