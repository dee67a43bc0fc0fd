// The cursor of a stream and its events, without a database.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import type { ArtifactRow } from "../access/resource.ts";
import { firstUnsent, eventsSince, replayedAtMost } from "./events.ts";
import { eventId, cursorFrom } from "./cursor.ts";

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
    expect(eventId(cursorFrom(given, artifact(8, 4)))).toBe(expected);
  });
});

test("any cursor: continuing from any event gives the remaining events, in order and once", () => {
  const number = fc.integer({ min: 1, max: 300 });
  const state = fc.record({ version: number, access: number });
  const cases = fc.tuple(state, state, fc.nat()).map(([one, other, cut]) => ({
    cursor: { version: Math.min(one.version, other.version), access: Math.min(one.access, other.access) },
    now: artifact(Math.max(one.version, other.version), Math.max(one.access, other.access)),
    cut,
  }));
  fc.assert(
    fc.property(cases, ({ cursor, now, cut }) => {
      const all = eventsSince(cursor, now, versions(firstUnsent(cursor, now), now.latestVersion));
      const numbers = all.flatMap(({ event, cursor: at }) => (event === "version" ? [at?.version] : []));
      const count = Math.min(replayedAtMost, now.latestVersion - cursor.version);
      expect(numbers).toEqual(Array.from({ length: count }, (_, n) => now.latestVersion - count + 1 + n));
      expect(all.filter(({ event }) => event === "access")).toHaveLength(now.accessRevision > cursor.access ? 1 : 0);

      const at = all[all.length === 0 ? 0 : cut % all.length];
      if (at?.cursor === undefined) return;
      const rest = eventsSince(at.cursor, now, versions(firstUnsent(at.cursor, now), now.latestVersion));
      expect(rest).toEqual(all.slice(all.indexOf(at) + 1));
    }),
  );
});
