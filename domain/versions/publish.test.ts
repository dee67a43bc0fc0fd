import { afterAll, describe, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";
import { entitlementsOf } from "@plinth/contract/plans";
import { uuidOf } from "@plinth/db/columns";

import { createSetupWithProject } from "../test/context.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const publish = (artifactId: string, content: string, expectedLatestVersion?: number) =>
  setup.call(
    "version.create",
    { artifactId, content, ...(expectedLatestVersion === undefined ? {} : { expectedLatestVersion }) },
    { as: owner.token },
  );

describe("a new head", () => {
  test("of sixty writers who expect the same version, one succeeds; the others learn who published it and when", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => publish(artifactId, `${index}`, 1).catch((error: AppError) => error)),
    );
    const made = outcomes.filter((outcome) => "versionNumber" in outcome);
    expect(made.map(({ versionNumber }) => versionNumber)).toEqual([2]);
    const refusal = outcomes.find((outcome): outcome is AppError => "extra" in outcome);
    expect(refusal).toMatchObject({
      code: "version_conflict",
      extra: {
        artifactId,
        expectedLatestVersion: 1,
        latestVersion: 2,
        changedBy: made[0]?.createdBy,
        changedAt: made[0]?.createdAt,
      },
    });
  });

  test("of sixty writers who expect none, each gets a distinct number, without gaps", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    const made = await Promise.all(Array.from({ length: 60 }, (_, index) => publish(artifactId, `${index}`)));
    const numbers = made.map(({ versionNumber }) => versionNumber).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 2));
  });

  test("by restoring has the old content, and changes no old version", async () => {
    const { artifactId } = await setup.publish(owner.token, project, { content: "one" });
    await publish(artifactId, "two");
    const before = (await setup.call("version.list", { artifactId })).versions;
    const restored = await setup.call("version.restore", { artifactId, versionNumber: 1 }, { as: owner.token });
    expect(restored).toMatchObject({ versionNumber: 3, restoredFrom: 1, sha256: before[1]?.sha256 });
    const after = (await setup.call("version.list", { artifactId })).versions;
    const kept = ({ versionNumber, sha256, createdAt }: (typeof after)[number]) => [versionNumber, sha256, createdAt];
    expect(after.slice(1).map(kept)).toEqual(before.map(kept));
  });

  test("does not come of a version that never was, or is past its retention", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    await publish(artifactId, "two");
    const manner = { as: owner.token };
    expect((await setup.refusal("version.restore", { artifactId, versionNumber: 9 }, manner)).code).toBe("not_found");
    await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
      uuidOf("art", artifactId),
    ]);
    for (const [name, input] of [
      ["version.restore", { artifactId, versionNumber: 1 }],
      ["version.content", { artifactId, version: 1 }],
      ["version.diff", { artifactId, from: 1, to: 2 }],
      ["artifact.ticket", { artifactId, version: 1 }],
    ] as const) {
      const refusal = await setup.refusal(name, input, manner);
      expect(refusal).toMatchObject({ code: "version_expired", extra: { versionNumber: 1 } });
      expect(refusal.extra["prunedAt"]).toMatch(/Z$/);
    }
    const [, tombstone] = (await setup.call("version.list", { artifactId })).versions;
    expect(tombstone).toMatchObject({ versionNumber: 1, expiresAt: null });
    expect(tombstone?.prunedAt).toMatch(/Z$/);
  });

  test("content is read back byte for byte, from the store and from the cache", async () => {
    for (const content of ["", "\uFEFFx", "ünï😀\r\n\t", "\u2028", "x".repeat(60_000)]) {
      const { artifactId } = await setup.publish(owner.token, project, { content });
      for (const time of ["first", "again"]) {
        const { bytes } = (await setup.answer("version.content", { artifactId })).value as { bytes: Uint8Array };
        expect({ time, same: Buffer.from(bytes).equals(Buffer.from(content)) }).toEqual({ time, same: true });
      }
    }
  });

  test("the cache never shows an old head for the new one", async () => {
    const { artifactId } = await setup.publish(owner.token, project, { content: "0" });
    for (let round = 1; round <= 20; round++) {
      await publish(artifactId, `${round}`);
      const { bytes } = (await setup.answer("version.content", { artifactId })).value as { bytes: Uint8Array };
      expect(Buffer.from(bytes).toString()).toBe(`${round}`);
    }
  });
});

describe("the list of versions", () => {
  test("brings the artifact along where that is asked for, as the same caller gets it", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    for (const as of [owner.token, undefined]) {
      const manner = as === undefined ? {} : { as };
      const { artifact } = await setup.call("version.list", { artifactId, withArtifact: true }, manner);
      expect(artifact).toEqual(await setup.call("artifact.get", { artifactId }, manner));
    }
    expect(await setup.call("version.list", { artifactId })).not.toHaveProperty("artifact");
  });

  test("says when retention takes each, across pages", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    for (let index = 0; index < 4; index++) await publish(artifactId, `${index}`);
    await setup.db.run(
      `UPDATE version SET created_at = timestamptz '2026-01-01T00:00:00Z' + make_interval(days => version_number)
       WHERE artifact_id = $1`,
      [uuidOf("art", artifactId)],
    );
    const seen: [number, boolean, string | null][] = [];
    let cursor: string | undefined;
    do {
      const page = await setup.call("version.list", {
        artifactId,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { versionNumber, isLatest, expiresAt } of page.versions)
        seen.push([versionNumber, isLatest, expiresAt]);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const days = entitlementsOf("team").versionRetentionDays;
    const expires = (versionNumber: number) =>
      new Date(Date.UTC(2026, 0, 1) + (versionNumber + 1 + days) * 86_400_000).toISOString();
    expect(seen).toEqual([
      [5, true, null],
      [4, false, expires(4)],
      [3, false, expires(3)],
      [2, false, expires(2)],
      [1, false, expires(1)],
    ]);
  });

  test("begins where it is told to, and goes on from there", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    for (let index = 0; index < 4; index++) await publish(artifactId, `${index}`);
    const listed = async (input: { upTo: number; cursor?: string }) => {
      const { versions, nextCursor } = await setup.call("version.list", { artifactId, limit: 2, ...input });
      return { numbers: versions.map(({ versionNumber }) => versionNumber), cursor: nextCursor ?? undefined };
    };
    const { numbers, cursor = "none" } = await listed({ upTo: 4 });
    expect(numbers).toEqual([4, 3]);
    expect(await listed({ upTo: 4, cursor })).toMatchObject({ numbers: [2, 1] });
    expect(await listed({ upTo: 1 })).toEqual({ numbers: [1], cursor: undefined });
    // A number beyond the latest is accepted, so that a caller need not know it.
    expect((await listed({ upTo: 900 })).numbers).toEqual([5, 4]);
    for (const upTo of [0, -1, 1.5, "2"] as number[])
      expect((await setup.refusal("version.list", { artifactId, upTo })).extra.errors?.[0]?.path).toBe("upTo");
  });

  test("refuses cursors that are not its own", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    const base64 = (text: string) => Buffer.from(text).toString("base64url");
    for (const cursor of [
      "x",
      base64("versions:0"),
      base64("versions:-1"),
      base64("versions:1e3"),
      base64("projects:1"),
    ])
      expect((await setup.refusal("version.list", { artifactId, cursor })).extra.errors?.[0]?.path).toBe("cursor");
  });
});
