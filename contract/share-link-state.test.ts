import { expect, test } from "bun:test";

import { shareLinkState } from "./share-link-state.ts";

const [before, now, after] = ["2026-11-21T11:59:59.999Z", "2026-11-21T12:00:00.000Z", "2026-11-21T12:00:00.001Z"];

test.each([
  [null, null, "open"],
  [null, after, "open"],
  [null, now, "expired"],
  [null, before, "expired"],
  [before, null, "revoked"],
  [before, after, "revoked"],
  [after, before, "revoked"],
] as const)("revoked at %p, expiring at %p: %s", (revokedAt, expiresAt, state) => {
  expect(shareLinkState({ revokedAt, expiresAt }, new Date(now))).toBe(state);
});
