import { expect, test } from "bun:test";
import { viewAs } from "./view-as.ts";

const now = new Date("2026-11-22T12:00:00Z");
const seen = (...given: Parameters<typeof viewAs>) => viewAs(...given).map(({ sees }) => sees);
const hidden = { publicView: false, publicEdit: false };

test("what is private is nothing to strangers, signed in or not", () => {
  const [anyone, signedIn, viewer, editor] = seen(hidden, [], now);
  expect(anyone).toContain("Page not found");
  expect(signedIn).toBe(anyone ?? "");
  expect([viewer, editor]).toEqual(["There is no active link.", "There is no active link."]);
});

test("editing is for those who are signed in, and only of what anyone may see", () => {
  expect(seen({ publicView: true, publicEdit: true }, [], now).slice(0, 2)).toEqual([
    "All versions. Appears in search.",
    "All versions, and can publish new ones.",
  ]);
  expect(seen({ publicView: true, publicEdit: false }, [], now)[1]).toBe("All versions.");
  expect(seen({ publicView: false, publicEdit: true }, [], now)[1]).toContain("Page not found");
});

test("a link that is revoked or over opens nothing", () => {
  const links = [
    { role: "viewer", expiresAt: "2026-11-22T11:59:59Z", revokedAt: null },
    { role: "editor", expiresAt: null, revokedAt: "2026-11-22T11:59:59Z" },
  ] as const;
  expect(seen(hidden, links, now).slice(2)).toEqual(["There is no active link.", "There is no active link."]);
  const open = links.map((link) => ({ ...link, expiresAt: null, revokedAt: null }));
  expect(seen(hidden, open, now).slice(2)).toEqual([
    "All versions, without signing in.",
    "All versions, and can publish new ones.",
  ]);
});

test("of links that were not looked at nothing is claimed", () => {
  expect(seen(hidden, [], now, true).slice(2).join(" ")).not.toContain("no active link");
});
