// Uploads, publishes, deletions, moves and the purge at the same time: nothing that a version has is lost, nothing is kept
// that no version has, and no statement waits for another for good.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { testSeed } from "@plinth/support/test-seed";
import { AppError } from "@plinth/contract/errors";
import { uuidOf } from "@plinth/db/columns";

import { invariants } from "../doctor/invariants.ts";
import { noDeadline } from "../retention/deadline.ts";
import { purge } from "../retention/purge.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
});
afterAll(() => setup.close());

/** Few, so that they meet. */
const texts = Array.from({ length: 8 }, (_, n) => new TextEncoder().encode(`file ${n}`));
const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** A generator of numbers from 0 up to a bound (mulberry32). */
function numbersFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

test("600 changes, eight at once", async () => {
  console.error(`domain/files/races: TEST_SEED=${testSeed}`);
  const number = numbersFrom(testSeed);
  const as = owner.token;
  const team = await setup.team({ [owner.userId]: "admin" });
  const places = await Promise.all([setup.project(as), setup.project(as), setup.project(as)]);
  const published = new Map<string, Map<string, string>>();
  const refusals = new Map<string, number>();

  const upload = async (bytes: Uint8Array<ArrayBuffer>, workspaceId: string) => {
    // Some lie about what they send.
    const isWrong = number(10) === 0;
    const sha256 = isWrong ? hashOf(Uint8Array.of(...bytes, 0)) : hashOf(bytes);
    await setup.call("file.upload", { workspaceId, sha256 }, { as, file: bytes });
    if (isWrong) throw new Error("a wrong hash was taken");
  };
  const someFiles = () => {
    const chosen = texts.filter(() => number(3) === 0);
    return chosen.map((bytes, index) => ({ path: `${index}.txt`, sha256: hashOf(bytes) }));
  };
  const remember = (artifactId: string, files: readonly { path: string; sha256: string }[]) =>
    published.set(artifactId, new Map(files.map(({ path, sha256 }) => [path, sha256])));
  const any = () => [...published.keys()][number(Math.max(1, published.size))] ?? "art_none";

  const changes = [
    () => upload(texts[number(texts.length)] ?? new Uint8Array(), owner.workspaceId),
    () => upload(texts[number(texts.length)] ?? new Uint8Array(), team.workspaceId),
    async () => {
      const { slug, workspaceId } = places[number(places.length)] ?? { slug: "", workspaceId: "" };
      const files = someFiles();
      const ownerUsername = workspaceId === team.workspaceId ? team.slug : owner.username;
      const { artifactId } = await setup.publish(as, slug, { ownerUsername, files });
      remember(artifactId, files);
    },
    async () => {
      const [artifactId, files] = [any(), someFiles()];
      await setup.call("version.create", { artifactId, content: crypto.randomUUID(), files }, { as });
      published.delete(artifactId);
    },
    async () => {
      const artifactId = any();
      await setup.call("artifact.delete", { artifactId }, { as });
      published.delete(artifactId);
      await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
        uuidOf("art", artifactId),
      ]);
    },
    async () => {
      const index = number(places.length);
      const { projectId = "", workspaceId = "" } = places[index] ?? {};
      const isTeam = workspaceId === team.workspaceId;
      const ownerUsername = isTeam ? owner.username : team.slug;
      const moved = await setup.call("project.move", { projectId, ownerUsername }, { as });
      const place = places[index];
      if (place !== undefined) places[index] = { ...place, workspaceId: moved.workspaceId };
    },
    async () => {
      // In the order in which publishes lock them.
      await setup.db.run(`
        WITH held AS (
          SELECT workspace_id, sha256 FROM workspace_file WHERE unused_since IS NOT NULL
          ORDER BY workspace_id, sha256 FOR NO KEY UPDATE
        )
        UPDATE workspace_file w SET unused_since = now() - interval '25 hours' FROM held
        WHERE w.workspace_id = held.workspace_id AND w.sha256 = held.sha256`);
      await purge(setup.db, "req-test", noDeadline);
    },
  ];

  const expected = new Set(["invalid_request", "not_found", "version_conflict", "slug_conflict"]);
  let left = 600;
  const work = async () => {
    while (left-- > 0) {
      try {
        await changes[number(changes.length)]?.();
      } catch (error) {
        if (!(error instanceof AppError) || !expected.has(error.code)) throw error;
        refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));

  expect(refusals.get("invalid_request")).toBeGreaterThan(0);
  for (const [artifactId, files] of published) {
    const listed = await setup.call("version.files", { artifactId, versionNumber: 1 }, { as });
    expect(new Map(listed.files.map(({ path, sha256 }) => [path, sha256]))).toEqual(files);
    for (const path of files.keys()) await setup.answer("version.file", { artifactId, path, version: 1 }, { as });
  }
  const broken: string[] = [];
  for (const [name, statement] of Object.entries(invariants))
    for (const row of await setup.db.run<{ broken: string }>(statement)) broken.push(`${name}: ${row.broken}`);
  expect(broken).toEqual([]);
}, 120_000);
