import { describe, expect, test } from "bun:test";
import { entitlementsOf, type PlanId } from "@plinth/contract/plans";
import { downgradeWords, entitlementWords, type Placed } from "./plan-words.ts";

const to = (id: PlanId) => ({ id, entitlements: entitlementsOf(id) });

function on(plan: PlanId, given: Partial<Placed> = {}): Placed {
  return {
    kind: "personal",
    plan,
    seats: { used: 1, limit: entitlementsOf(plan).seats },
    usage: { privateArtifacts: 0, artifacts: 0, storageBytes: 0, fileBytes: 0 },
    entitlements: entitlementsOf(plan),
    ...given,
  };
}
const holding = (privateArtifacts: number) => ({
  usage: { privateArtifacts, artifacts: 20, storageBytes: 1, fileBytes: 0 },
});

test("each plan's entitlements are said whole", () => {
  expect(entitlementWords(entitlementsOf("free"))).toEqual([
    "Public artifacts",
    "Personal workspace",
    "1 seat",
    "Old versions for 30 days",
    "Activity for 7 days",
    "1 GB for files beside documents",
  ]);
  expect(entitlementWords(entitlementsOf("team"))).toEqual([
    "Public and private artifacts",
    "Team workspaces, with roles",
    "10 seats included, add more",
    "Old versions for 365 days",
    "Activity for 365 days",
    "500 GB for files beside documents",
  ]);
});

describe("a downgrade", () => {
  test("from Pro to Free counts what is private, and says until when is kept", () => {
    expect(downgradeWords(on("pro", holding(12)), to("free"))).toEqual([
      "All 12 private artifacts stay private, and the same people can view and edit. You can't make more private.",
      "After 7 days' notice it keeps old versions for 30 days instead of 365 and activity for 7 days instead of 90; anything older is permanently deleted.",
    ]);
    expect(downgradeWords(on("pro", holding(1)), to("free"))[0]).toStartWith("Your 1 private artifact stays private");
    expect(downgradeWords(on("pro"), to("free"))[0]).toStartWith("You have no private artifacts");
  });

  test("from Team to Pro keeps what is private, and ends inviting, teams and a part of the activity", () => {
    expect(downgradeWords(on("team", { ...holding(3), seats: { used: 6, limit: 10 } }), to("pro"))).toEqual([
      "Pro has 1 seat and you use 6: everyone stays, but you can't invite anyone.",
      "Team workspaces on this plan move to Pro and keep everything in them. You can't create more.",
      "After 7 days' notice it keeps activity for 90 days instead of 365; anything older is permanently deleted.",
    ]);
  });

  test("of a team with a separate plan speaks of the team", () => {
    const team = on("team", { kind: "team", seats: { used: 1, limit: 10 } });
    expect(downgradeWords(team, to("free")).slice(1, 3)).toEqual([
      "Free has 1 seat, which is in use: you can't invite anyone.",
      "The workspace stays, with everything in it.",
    ]);
  });

  test("with fewer seats that are not all taken says how many are left", () => {
    const bought = on("team", {
      seats: { used: 4, limit: 25 },
      entitlements: { ...entitlementsOf("team"), seats: 25 },
    });
    expect(downgradeWords(bought, to("team"))).toEqual([
      "Team has 10 seats and you use 4: you can invite 6 more people.",
    ]);
  });

  test("to what has no less says nothing", () => {
    expect(downgradeWords(on("free"), to("free"))).toEqual([]);
    expect(downgradeWords(on("free"), to("team"))).toEqual([]);
  });
});
