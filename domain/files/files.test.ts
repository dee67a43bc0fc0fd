// Files beside a document: uploaded, published, carried over, read, counted, released and purged.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { filesLimits } from "@plinth/contract/limits";
import { manifestText } from "@plinth/contract/publishing/file-path";
import { uuidOf } from "@plinth/db/columns";

import { invariants } from "../doctor/invariants.ts";
import { noDeadline } from "../retention/deadline.ts";
import { purge } from "../retention/purge.ts";
import type { DiffDocument } from "../versions/diff.ts";
import { createSetup, type Caller, type TestPerson, type Setup } from "../test/context.ts";
import type { fileDocument } from "./read.ts";

let setup: Setup;
let owner: TestPerson;
let projectSlug: string;

beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person({ plan: "team" });
  projectSlug = (await setup.project(owner.token)).slug;
});

afterAll(() => setup.close());

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Uploads a text to a workspace, and returns its hash. */
async function upload(text: string, as: Caller = owner.token, workspaceId = owner.workspaceId): Promise<string> {
  const file = bytesOf(text);
  const sha256 = hashOf(file);
  await setup.call("file.upload", { workspaceId, sha256 }, { as, file });
  return sha256;
}

async function publishWith(files: Record<string, string>, more: object = {}) {
  const given = await Promise.all(
    Object.entries(files).map(async ([path, text]) => ({ path, sha256: await upload(text) })),
  );
  return setup.publish(owner.token, projectSlug, { files: given, ...more });
}

async function read(artifactId: string, path: string, version?: number): Promise<string> {
  const input = { artifactId, path, ...(version === undefined ? {} : { version }) };
  const { value } = await setup.answer("version.file", input, { as: owner.token });
  return new TextDecoder().decode((value as ReturnType<typeof fileDocument>).bytes ?? new Uint8Array());
}

/** What the doctor finds. */
async function violations(): Promise<string[]> {
  const found: string[] = [];
  for (const [name, statement] of Object.entries(invariants)) {
    const rows = await setup.db.run<{ broken: string }>(statement);
    found.push(...rows.map(({ broken }) => `${name}: ${broken}`));
  }
  return found;
}

describe("uploading", () => {
  test("asks what is missing, takes it, and has it then", async () => {
    const sha256 = hashOf(bytesOf("a chart"));
    const ask = () =>
      setup.call("file.missing", { workspaceId: owner.workspaceId, sha256: [sha256, sha256] }, { as: owner.token });
    expect(await ask()).toEqual({ missing: [sha256] });
    const file = bytesOf("a chart");
    expect(await setup.call("file.upload", { sha256 }, { as: owner.token, file })).toEqual({
      sha256,
      sizeBytes: file.length,
    });
    expect(await ask()).toEqual({ missing: [] });
  });

  test("a wrong hash keeps nothing and names the right one", async () => {
    const file = bytesOf("other bytes");
    const sha256 = "0".repeat(64);
    const before = await setup.count("content");
    const refusal = await setup.refusal("file.upload", { sha256 }, { as: owner.token, file });
    expect([refusal.code, refusal.message]).toEqual([
      "invalid_request",
      `sha256 is not the SHA-256 of the body, which is ${hashOf(file)}`,
    ]);
    expect(await setup.count("content")).toBe(before);
  });

  test("another workspace's file is missing, and cannot be named", async () => {
    const stranger = await setup.person({ plan: "team" });
    const sha256 = await upload("a secret of the owner");
    expect(await setup.call("file.missing", { sha256: [sha256] }, { as: stranger.token })).toEqual({
      missing: [sha256],
    });
    const { slug } = await setup.project(stranger.token);
    const wanted = {
      projectSlug: slug,
      slug: "guess",
      type: "md",
      title: "T",
      content: "x",
      access: { publicView: true, publicEdit: false },
      files: [{ path: "a.txt", sha256 }],
    };
    const refusal = await setup.refusal("artifact.create", wanted, { as: stranger.token });
    expect(refusal.extra.errors).toEqual([{ path: "files.0.sha256", message: "is not the hash of an uploaded file" }]);
  });

  test("the plan's storage is a limit, which what is there already does not count against", async () => {
    const free = await setup.person({ plan: "free" });
    const kept = await upload("kept", free.token, free.workspaceId);
    // A gigabyte takes long to upload, so the size is written directly.
    await setup.db.run("UPDATE workspace_file SET size_bytes = 1000000000 WHERE workspace_id = $1", [
      uuidOf("wsp", free.workspaceId),
    ]);
    const file = bytesOf("one more");
    const refusal = await setup.refusal("file.upload", { sha256: hashOf(file) }, { as: free.token, file });
    expect([refusal.code, refusal.extra["limitBytes"], refusal.extra["usedBytes"]]).toEqual([
      "storage_limit_reached",
      1_000_000_000,
      1_000_000_000,
    ]);
    expect(await upload("kept", free.token, free.workspaceId)).toBe(kept);
    await setup.db.run("UPDATE workspace_file SET size_bytes = 4 WHERE workspace_id = $1", [
      uuidOf("wsp", free.workspaceId),
    ]);
  });
});

describe("publishing with files", () => {
  test("the version has them, and they are read by their paths", async () => {
    const { artifactId } = await publishWith(
      { "img/chart.png": "chart", "data.csv": "a,b\n1,2\n" },
      { documentPath: "guide/report.md" },
    );
    const listed = await setup.call("version.files", { artifactId, versionNumber: 1 }, { as: owner.token });
    expect([listed.base, listed.files.map(({ path, mediaType }) => [path, mediaType])]).toEqual([
      "guide/",
      [
        ["data.csv", "text/csv; charset=utf-8"],
        ["img/chart.png", "image/png"],
      ],
    ]);
    const { versions } = await setup.call("version.list", { artifactId }, { as: owner.token });
    expect(versions[0]?.files).toEqual({
      count: 2,
      sizeBytes: "chart".length + "a,b\n1,2\n".length,
      sha256: hashOf(bytesOf(manifestText("guide/", listed.files))),
    });
    expect(await read(artifactId, "img/chart.png")).toBe("chart");
    const missing = await setup.refusal("version.file", { artifactId, path: "img/other.png" }, { as: owner.token });
    expect(missing.code).toBe("not_found");
  });

  test("left out on an update they stay; given they are replaced; an empty list removes them; a restore brings them back", async () => {
    const { artifactId } = await publishWith({ "a.txt": "first" });
    const next = async (more: object) =>
      (await setup.call("version.create", { artifactId, content: crypto.randomUUID(), ...more }, { as: owner.token }))
        .files;
    const kept = await next({});
    expect([kept.count, await read(artifactId, "a.txt")]).toEqual([1, "first"]);
    const sha256 = await upload("second");
    expect((await next({ files: [{ path: "a.txt", sha256 }] })).count).toBe(1);
    expect([await read(artifactId, "a.txt"), await read(artifactId, "a.txt", 1)]).toEqual(["second", "first"]);
    expect(await next({ files: [] })).toEqual({ count: 0, sizeBytes: 0, sha256: null });
    const restored = await setup.call("version.restore", { artifactId, versionNumber: 1 }, { as: owner.token });
    expect([restored.files, await read(artifactId, "a.txt")]).toEqual([kept, "first"]);
    const { value } = await setup.answer("version.diff", { artifactId, from: 2, to: 3 }, { as: owner.token });
    const { written } = value as DiffDocument;
    const { files } = JSON.parse(new TextDecoder().decode(written?.json)) as { files: object };
    expect(files).toEqual({ added: [], removed: [], changed: ["a.txt"] });
    const edited = await setup.call(
      "version.edit",
      { artifactId, edits: [{ oldText: "# ", newText: "## " }] },
      { as: owner.token },
    );
    expect(edited.files).toEqual(kept);
  });

  test("versions with the same files share one set", async () => {
    const { artifactId } = await publishWith({ "a.txt": "shared" });
    const sha256 = await upload("shared");
    const files = [{ path: "a.txt", sha256 }];
    await setup.call("version.create", { artifactId, content: "x", files }, { as: owner.token });
    const [row] = await setup.db.run<{ sets: number }>(
      "SELECT count(*)::int AS sets FROM file_set WHERE artifact_id = $1",
      [uuidOf("art", artifactId)],
    );
    expect(row?.sets).toBe(1);
  });

  test.each([
    ["../up.png", "must not contain an empty part, `.` or `..`"],
    ["/root.png", "must be relative"],
    ["a//b.png", "must not contain an empty part, `.` or `..`"],
    ["a\\b.png", "must not contain a backslash or a control character"],
    ["a\u0000.png", "must not contain NUL"],
    ["a\u202Egnp.svg", "must not contain an invisible format character, as `a\\u{202E}gnp.svg` does"],
    ["C:/x.png", "must not contain a colon, as `C:` does"],
    ["img/con.png", "must not contain a name that Windows reserves, as `con.png` is"],
    ["img./x.png", "must not contain a name that ends in a dot or a space, as `img.` does"],
    ["e\u0301.png", "must be in Unicode's normal form C"],
    [`${"ä".repeat(126)}.png`, "must have at most 255 bytes"],
    ["run.exe", "is of a type that cannot be published beside a document"],
    ["noextension", "is of a type that cannot be published beside a document"],
  ])("%j is refused", async (path, message) => {
    const sha256 = await upload("any");
    const wanted = { projectSlug, slug: setup.name("x"), type: "md", title: "T", content: "x" };
    const access = { publicView: true, publicEdit: false };
    const refusal = await setup.refusal(
      "artifact.create",
      { ...wanted, access, files: [{ path, sha256 }] },
      { as: owner.token },
    );
    expect(refusal.code).toBe("invalid_request");
    expect(refusal.extra.errors?.[0]?.message).toContain(message);
  });

  test("no path twice, and none that is another's directory; no more than the limit", async () => {
    const sha256 = await upload("any");
    const { artifactId } = await setup.publish(owner.token, projectSlug);
    const codeOf = async (paths: string[]) => {
      const files = paths.map((path) => ({ path, sha256 }));
      return (await setup.refusal("version.create", { artifactId, content: "y", files }, { as: owner.token })).extra
        .errors;
    };
    expect(await codeOf(["a.txt", "a.txt"])).toEqual([{ path: "files.1.path", message: "is given more than once" }]);
    expect(await codeOf(["a.txt", "a.txt/b.txt"])).toEqual([
      { path: "files.0.path", message: "is the directory of another file" },
    ]);
    const tooMany = Array.from({ length: filesLimits.files + 1 }, (_, n) => `${n}.txt`);
    expect((await codeOf(tooMany))?.[0]?.path).toBe("files");
  });

  test("a page's call says how many files there are, with no statement more", async () => {
    const [bare, filed] = [await setup.publish(owner.token, projectSlug), await publishWith({ "a.txt": "four" })];
    const call = ({ slug }: { slug: string }, more: object = {}) =>
      setup.call("artifact.getByPath", { owner: owner.username, projectSlug, slug, ...more });
    const withFiles = { withPackages: true, withFiles: true };
    for (const [artifact, count, sizeBytes] of [
      [bare, 0, 0],
      [filed, 1, 4],
    ] as const) {
      expect((await call(artifact, withFiles)).files).toMatchObject({ count, sizeBytes });
      expect((await call(artifact)).files).toBeUndefined();
      const versionPath = { artifactId: artifact.artifactId, versionNumber: 1 };
      expect((await setup.call("version.packages", { ...versionPath, withFiles: true })).files).toMatchObject({
        count,
      });
      expect((await setup.call("version.packages", versionPath)).files).toBeUndefined();
      expect(await setup.statementsOf(() => call(artifact, withFiles))).toBe(1);
    }
  });

  test("a publish without files is one statement, as before", async () => {
    const { artifactId } = await setup.publish(owner.token, projectSlug);
    const statements = await setup.statementsOf(() =>
      setup.call("version.create", { artifactId, content: "z" }, { as: owner.token }),
    );
    // The load and the append.
    expect(statements).toBe(2);
  });
});

describe("editors from outside the workspace", () => {
  test("publish what they uploaded to the artifact and what it has, and learn nothing of other files", async () => {
    const guest = await setup.person();
    const secret = await upload("another document's file");
    const { artifactId } = await publishWith(
      { "mine.txt": "of this document" },
      { access: { publicView: true, publicEdit: true } },
    );
    const ask = (sha256: string) =>
      setup.call("file.missingOfArtifact", { artifactId, sha256: [sha256] }, { as: guest.token });
    expect(await ask(secret)).toEqual({ missing: [secret] });
    expect(await ask(hashOf(bytesOf("of this document")))).toEqual({ missing: [] });
    const update = (sha256: string) => ({ artifactId, content: "by a guest", files: [{ path: "a.txt", sha256 }] });
    const refusal = await setup.refusal("version.create", update(secret), { as: guest.token });
    expect(refusal.code).toBe("invalid_request");
    const file = bytesOf("another document's file");
    await setup.call("file.uploadToArtifact", { artifactId, sha256: secret }, { as: guest.token, file });
    const version = await setup.call("version.create", update(secret), { as: guest.token });
    expect(version.files.count).toBe(1);
    const forbidden = await setup.refusal(
      "file.upload",
      { workspaceId: owner.workspaceId, sha256: secret },
      { as: guest.token },
    );
    expect(forbidden.code).toBe("not_found");
  });
});

describe("the end of files", () => {
  const age = () =>
    setup.db.run("UPDATE workspace_file SET unused_since = now() - interval '25 hours' WHERE unused_since IS NOT NULL");

  test("what no version has is purged after a day; what one has stays", async () => {
    const { artifactId } = await publishWith({ "a.txt": "stays" });
    const loose = await upload("never published");
    await purge(setup.db, "req-test", noDeadline);
    const ask = (sha256: string) => setup.call("file.missing", { sha256: [sha256] }, { as: owner.token });
    expect(await ask(loose)).toEqual({ missing: [] });
    await age();
    await purge(setup.db, "req-test", noDeadline);
    expect(await ask(loose)).toEqual({ missing: [loose] });
    expect(await read(artifactId, "a.txt")).toBe("stays");
    expect(await violations()).toEqual([]);
  });

  test("the files of a purged artifact go with it, unless another one has them", async () => {
    const one = await publishWith({ "a.txt": "of one", "b.txt": "of both" });
    const other = await publishWith({ "b.txt": "of both" });
    await setup.call("artifact.delete", { artifactId: one.artifactId }, { as: owner.token });
    await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
      uuidOf("art", one.artifactId),
    ]);
    await purge(setup.db, "req-test", noDeadline);
    await age();
    await purge(setup.db, "req-test", noDeadline);
    const asked = [hashOf(bytesOf("of one")), hashOf(bytesOf("of both"))];
    expect(await setup.call("file.missing", { sha256: asked }, { as: owner.token })).toEqual({
      missing: [asked[0] ?? ""],
    });
    expect(await read(other.artifactId, "b.txt")).toBe("of both");
    expect(await violations()).toEqual([]);
  });

  test("the files of a project that moves count in the other workspace from then on", async () => {
    const { slug, projectId } = await setup.project(owner.token);
    const team = await setup.team({ [owner.userId]: "admin" });
    const sha256 = await upload("moves");
    const files = [{ path: "a.txt", sha256 }];
    const { artifactId } = await setup.publish(owner.token, slug, { files });
    await setup.call("project.move", { projectId, ownerUsername: team.slug }, { as: owner.token });
    expect(await read(artifactId, "a.txt")).toBe("moves");
    expect(
      await setup.call("file.missing", { workspaceId: team.workspaceId, sha256: [sha256] }, { as: owner.token }),
    ).toEqual({
      missing: [],
    });
    await age();
    await purge(setup.db, "req-test", noDeadline);
    expect(await setup.call("file.missing", { sha256: [sha256] }, { as: owner.token })).toEqual({ missing: [sha256] });
    expect(await read(artifactId, "a.txt")).toBe("moves");
    expect(await violations()).toEqual([]);
  });
});

describe("source paths", () => {
  test("one artifact of a project has a path; a deleted one leaves it, and takes it back where it is free", async () => {
    const { slug } = await setup.project(owner.token);
    const first = await setup.publish(owner.token, slug, { sourcePath: "guide/a.md" });
    expect(first.sourcePath).toBe("guide/a.md");
    const again = { projectSlug: slug, slug: "again", type: "md", title: "T", content: "x", sourcePath: "guide/a.md" };
    const access = { publicView: true, publicEdit: false };
    expect((await setup.refusal("artifact.create", { ...again, access }, { as: owner.token })).code).toBe(
      "source_path_conflict",
    );
    const { artifactId } = first;
    await setup.call("artifact.delete", { artifactId }, { as: owner.token });
    const second = await setup.publish(owner.token, slug, { sourcePath: "guide/a.md" });
    expect((await setup.call("artifact.undelete", { artifactId }, { as: owner.token })).sourcePath).toBeNull();
    const taken = { artifactId, sourcePath: "guide/a.md" };
    expect((await setup.refusal("artifact.patch", taken, { as: owner.token })).code).toBe("source_path_conflict");
    await setup.call(
      "artifact.patch",
      { artifactId: second.artifactId, sourcePath: "guide/b.md" },
      { as: owner.token },
    );
    expect((await setup.call("artifact.patch", taken, { as: owner.token })).sourcePath).toBe("guide/a.md");
  });
});

describe("jsx that imports files beside it", () => {
  const app = `import { rows } from "./rows"; export default () => <b>{rows}</b>;`;
  const renderers = async () =>
    (await setup.db.run<{ renderer: string }>("SELECT renderer FROM rendering WHERE renderer LIKE 'jsx-%-%'")).map(
      ({ renderer }) => renderer,
    );

  test("is compiled when it is published, again where the files change, and not where it imports none", async () => {
    const before = await renderers();
    const files = { "rows.js": "export const rows = 1;" };
    const { artifactId } = await publishWith(files, { type: "jsx", content: app });
    expect(await renderers()).toHaveLength(before.length + 1);
    const version = { artifactId, content: `${app}\n` };
    await setup.call("version.create", version, { as: owner.token });
    const other = [{ path: "rows.js", sha256: await upload("export const rows = 2;") }];
    await setup.call("version.create", { ...version, files: other }, { as: owner.token });
    expect(await renderers()).toHaveLength(before.length + 3);
    await publishWith(files, { type: "jsx", content: "export default () => <b>alone</b>;" });
    expect(await renderers()).toHaveLength(before.length + 3);
  });

  test("imports the text of any text file, and files by patterns", async () => {
    const content = `import text from "./words.md?raw"; const all = import.meta.glob("./parts/*.csv", { query: "?raw", eager: true });
export default () => <b>{text}{JSON.stringify(all)}</b>;`;
    const files = { "words.md": "# Words of the file", "parts/a.csv": "a;b" };
    const { artifactId } = await publishWith(files, { type: "jsx", content });
    const { shownAs } = await setup.call("artifact.preview", { artifactId }, { as: owner.token });
    expect(shownAs).toBe("document");
    const others = [{ path: "words.png", sha256: await upload("x") }];
    const refused = await setup.refusal("version.create", { artifactId, content, files: others }, { as: owner.token });
    expect(refused.code).toBe("invalid_source");
  });

  test("what it was compiled to goes with the last version that has the files, although another one has its text", async () => {
    const source = { type: "jsx", content: `${app}// purged` };
    const files = { "rows.js": "export const rows = 3;" };
    const before = await renderers();
    const twins = [await publishWith(files, source), await publishWith(files, source)];
    const other = await publishWith({ "rows.js": "export const rows = 4;" }, source);
    expect(await renderers()).toHaveLength(before.length + 2);
    for (const [index, { artifactId }] of twins.entries()) {
      await setup.call("artifact.delete", { artifactId }, { as: owner.token });
      await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '40 days' WHERE artifact_id = $1", [
        uuidOf("art", artifactId),
      ]);
      await purge(setup.db, "request-purge", noDeadline);
      expect(await renderers()).toHaveLength(before.length + 2 - index);
    }
    const { shownAs } = await setup.call("artifact.preview", { artifactId: other.artifactId }, { as: owner.token });
    expect(shownAs).toBe("document");
  });

  test("is refused where a file is missing or wrong, by its name, with an Idempotency-Key as without", async () => {
    const { artifactId } = await publishWith({ "rows.js": "export const rows = 1;" }, { type: "jsx", content: app });
    const wrong = [{ path: "rows.js", sha256: await upload("export const rows = ;") }];
    for (const idempotencyKey of [undefined, "the-same"]) {
      const more = idempotencyKey === undefined ? {} : { idempotencyKey };
      const refused = (input: object) =>
        setup.refusal("version.create", { artifactId, content: app, ...input }, { as: owner.token, ...more });
      const missing = await refused({ files: [] });
      expect([missing.code, missing.message]).toEqual([
        "invalid_source",
        '"./rows" cannot be imported. There is no such file beside the document.',
      ]);
      const broken = await refused({ files: wrong });
      expect(broken.message).toStartWith("rows.js: ");
      expect(broken.extra).toMatchObject({ errors: [{ path: "files", line: 1 }] });
    }
    const edits = [{ oldText: "./rows", newText: "./columns" }];
    expect((await setup.refusal("version.edit", { artifactId, edits }, { as: owner.token })).code).toBe(
      "invalid_source",
    );
  });
});
