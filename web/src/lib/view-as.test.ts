import { expect, test } from "bun:test";
import { viewAs } from "./view-as.ts";

const now = new Date("2026-11-22T12:00:00Z");
const seen = (...given: Parameters<typeof viewAs>) => viewAs(...given).map(({ sees }) => sees);
const hidden = { publicView: false, publicEdit: false };

test("what is private is nothing to strangers, signed in or not", () => {
  const [anyone, signedIn, viewer, editor] = seen(hidden, [], now);
  expect(anyone).toContain("nothing to see");
  expect(signedIn).toBe(anyone ?? "");
  expect([viewer, editor]).toEqual(["There is no such link.", "There is no such link."]);
});

test("editing is for those who are signed in, and only of what anyone may see", () => {
  expect(seen({ publicView: true, publicEdit: true }, [], now).slice(0, 2)).toEqual([
    "Every version. They find it by searching, too.",
    "Every version, and a way to publish the next.",
  ]);
  expect(seen({ publicView: true, publicEdit: false }, [], now)[1]).toBe("Every version.");
  expect(seen({ publicView: false, publicEdit: true }, [], now)[1]).toContain("nothing to see");
});

test("a link that is revoked or over opens nothing", () => {
  const links = [
    { role: "viewer", expiresAt: "2026-11-22T11:59:59Z", revokedAt: null },
    { role: "editor", expiresAt: null, revokedAt: "2026-11-22T11:59:59Z" },
  ] as const;
  expect(seen(hidden, links, now).slice(2)).toEqual(["There is no such link.", "There is no such link."]);
  const open = links.map((link) => ({ ...link, expiresAt: null, revokedAt: null }));
  expect(seen(hidden, open, now).slice(2)).toEqual([
    "Every version, signed in or not.",
    "Every version, and a way to publish the next.",
  ]);
});

test("of links that were not looked at nothing is claimed", () => {
  expect(seen(hidden, [], now, true).slice(2).join(" ")).not.toContain("no such link");
});
