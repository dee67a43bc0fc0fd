// Where a stream goes on from, and what it is told: without a database.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import type { ArtifactRow } from "../access/resource.ts";
import { firstUntold, newsSince, replayedAtMost } from "./news.ts";
import { eventId, heardBefore } from "./state.ts";

const artifact = (latestVersion: number, accessRevision: number): ArtifactRow =>
  ({ artifactId: "art_x", latestVersion, accessRevision, publicView: true }) as ArtifactRow;
const versions = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => ({
    versionNumber: from + n,
    changelog: null,
    createdAt: new Date(0),
  }));

describe("where to go on from", () => {
  test.each([
    ["3.2", "3.2"],
    ["8.4", "8.4"],
    [null, "8.4"],
    ["", "8.4"],
    ["9.4", "8.4"],
    ["8.5", "8.4"],
    ["0.1", "8.4"],
    ["3", "8.4"],
    ["3.2.1", "8.4"],
    [" 3.2", "8.4"],
    ["3.2\n", "8.4"],
    ["-3.2", "8.4"],
    ["99999999999.1", "8.4"],
    ["1e0.1", "8.4"],
    ["٣.٢", "8.4"],
  ])("%p is %s", (given, expected) => {
    expect(eventId(heardBefore(given, artifact(8, 4)))).toBe(expected);
  });
});

test("whatever was heard, going on from any event tells what is left, in order and once", () => {
  const number = fc.integer({ min: 1, max: 300 });
  const state = fc.record({ version: number, access: number });
  const cases = fc.tuple(state, state, fc.nat()).map(([one, other, cut]) => ({
    heard: { version: Math.min(one.version, other.version), access: Math.min(one.access, other.access) },
    now: artifact(Math.max(one.version, other.version), Math.max(one.access, other.access)),
    cut,
  }));
  fc.assert(
    fc.property(cases, ({ heard, now, cut }) => {
      const all = newsSince(heard, now, versions(firstUntold(heard, now), now.latestVersion));
      const numbers = all.flatMap(({ event, heard: at }) => (event === "version" ? [at?.version] : []));
      const count = Math.min(replayedAtMost, now.latestVersion - heard.version);
      expect(numbers).toEqual(Array.from({ length: count }, (_, n) => now.latestVersion - count + 1 + n));
      expect(all.filter(({ event }) => event === "access")).toHaveLength(now.accessRevision > heard.access ? 1 : 0);

      const at = all[all.length === 0 ? 0 : cut % all.length];
      if (at?.heard === undefined) return;
      const rest = newsSince(at.heard, now, versions(firstUntold(at.heard, now), now.latestVersion));
      expect(rest).toEqual(all.slice(all.indexOf(at) + 1));
    }),
  );
});
