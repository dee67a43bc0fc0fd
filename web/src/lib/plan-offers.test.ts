import { expect, test } from "bun:test";
import { entitlementsOf, planIds, planNames, type PlanId } from "@plinth/contract/plans";
import type { Billing, OfferedPlan } from "@plinth/contract/schemas/billing";
import { offerOf, yearlySaving, type Standing } from "./plan-offers.ts";

const offered = (id: PlanId, prices: OfferedPlan["prices"]): OfferedPlan => ({
  id,
  name: planNames[id],
  prices,
  entitlements: entitlementsOf(id),
});
const of = (month: number, year: number): OfferedPlan["prices"] => [
  { interval: "month", amount: month, currency: "usd" },
  { interval: "year", amount: year, currency: "usd" },
];
const plans = [offered("free", []), offered("pro", of(1200, 12_000)), offered("team", of(1500, 18_000))];

function standing(given: Partial<Billing>, kind: Standing["kind"] = "personal"): Standing {
  const plan = given.plan ?? "free";
  return {
    kind,
    billing: {
      workspaceId: "wsp_1",
      plan,
      boughtPlan: given.status === "active" && plan !== "free" ? plan : null,
      status: "none",
      interval: null,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
      graceUntil: null,
      retentionShortensAt: null,
      seats: { used: 1, limit: 1 },
      usage: { privateArtifacts: 0, artifacts: 0, storageBytes: 0, fileBytes: 0 },
      entitlements: entitlementsOf(plan),
      holder: { workspaceId: "wsp_1", slug: "ada" },
      available: true,
      ...given,
    },
  };
}
const bought = { status: "active", interval: "month", currentPeriodEnd: "2026-12-22T12:00:00.000Z" } as const;

/** What can be done about Free, Pro and Team. */
const offers = (at: Standing, interval: "month" | "year" = "month") =>
  plans.map((plan) => {
    const offer = offerOf(plan, interval, at);
    if (offer === null) return null;
    return "note" in offer ? offer.note : `${offer.action}: ${offer.label}`;
  });

test("from Free both others are bought", () => {
  expect(offers(standing({}))).toEqual([null, "checkout: Upgrade to Pro", "checkout: Upgrade to Team"]);
  expect(offers(standing({ status: "canceled", interval: "month" }), "year")).toEqual(offers(standing({})));
});

test("what is bought is changed or cancelled, and never bought once more", () => {
  expect(offers(standing({ ...bought, plan: "pro" }))).toEqual([
    "portal: Cancel Pro",
    null,
    "checkout: Change to Team",
  ]);
  expect(offers(standing({ ...bought, plan: "pro" }), "year")).toEqual([
    "portal: Cancel Pro",
    "checkout: Pay yearly instead",
    "checkout: Change to Team",
  ]);
  expect(offers(standing({ ...bought, plan: "team", cancelAtPeriodEnd: true }))).toEqual([
    "From 22 December 2026",
    "checkout: Change to Pro",
    "portal: Keep Team",
  ]);
});

test("what is not paid is not changed", () => {
  for (const [plan, status] of [
    ["pro", "past_due"],
    ["free", "unpaid"],
  ] as const)
    expect(offers(standing({ ...bought, plan, boughtPlan: "pro", status }))).toEqual([
      "portal: Cancel Pro",
      null,
      null,
    ]);
});

test("what the operator gave is not sold, and what is more is", () => {
  expect(offers(standing({ plan: "pro" }))).toEqual([null, null, "checkout: Upgrade to Team"]);
  expect(offers(standing({ plan: "team" }))).toEqual([null, null, null]);
});

test("beside a greater plan that was given, what is bought is what is cancelled and changed", () => {
  const both = standing({ ...bought, plan: "team", boughtPlan: "pro" });
  expect(offers(both)).toEqual(["portal: Cancel Pro", null, "checkout: Change to Team"]);
  expect(offers(both, "year")).toEqual([
    "portal: Cancel Pro",
    "checkout: Pay yearly instead",
    "checkout: Change to Team",
  ]);
});

test("a team is upgraded to Team, also where it is on another's plan", () => {
  const note = "For personal workspaces";
  expect(offers(standing({}, "team"))).toEqual([null, note, "checkout: Upgrade to Team"]);
  const held = { ...bought, plan: "team", holder: { workspaceId: "wsp_2", slug: "grace" } } as const;
  expect(offers(standing(held, "team"))).toEqual([null, note, "checkout: Upgrade this team to Team"]);
});

test("where nothing is sold there is nothing to do, and what lacks a price is said to", () => {
  expect(offers(standing({ available: false, plan: "team" }))).toEqual([null, null, null]);
  const monthly = offered("pro", of(1200, 0).slice(0, 1));
  expect(offerOf(monthly, "year", standing({}))).toEqual({ note: "Not sold yearly" });
  for (const id of planIds) expect(offerOf(offered(id, []), "month", standing({}))).toBeNull();
});

test("a year's saving is that of the plan where it is most", () => {
  expect(yearlySaving(plans)).toBe(16);
  expect(yearlySaving([offered("team", of(1500, 18_000))])).toBeNull();
  expect(yearlySaving([offered("pro", of(1200, 12_000).slice(0, 1))])).toBeNull();
});
