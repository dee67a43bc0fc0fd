import { describe, expect, test } from "bun:test";
import { entitlementsOf } from "@plinth/contract/plans";
import { billingStatuses, type Billing } from "@plinth/contract/schemas/billing";
import { invoiceWords, isHeld, retentionWords, statusWords } from "./billing-words.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const end = "2026-12-22T12:00:00.000Z";

const billing = (given: Partial<Billing> = {}): Billing => ({
  workspaceId: "wsp_1",
  plan: "pro",
  boughtPlan: "pro",
  status: "active",
  interval: "month",
  currentPeriodEnd: end,
  cancelAtPeriodEnd: false,
  graceUntil: null,
  retentionShortensAt: null,
  seats: { used: 1, limit: 1 },
  usage: { privateArtifacts: 0, artifacts: 0, storageBytes: 0, fileBytes: 0 },
  entitlements: entitlementsOf(given.plan ?? "pro"),
  holder: { workspaceId: "wsp_1", slug: "ada" },
  available: true,
  ...given,
});
const said = (given: Partial<Billing>) => statusWords(billing(given), now).text;
const unpaid = { interval: null, currentPeriodEnd: null } as const;

describe("the status", () => {
  test.each<[string, Partial<Billing>, string]>([
    ["active", {}, "Active, paid by the month. It renews on 22 December 2026."],
    ["by the year", { interval: "year" }, "Active, paid by the year. It renews on 22 December 2026."],
    [
      "cancelled",
      { cancelAtPeriodEnd: true },
      "Cancelled: it stays until 22 December 2026 and ends then. Nothing more is charged.",
    ],
    [
      "bought beside a gift",
      { plan: "team", boughtPlan: "pro" },
      "Active, paid by the month. It renews on 22 December 2026. That is for Pro; Team is set by the operator of this instance.",
    ],
    ["on trial", { status: "trialing" }, "On trial until 22 December 2026; from then on it is paid by the month."],
    ["free", { ...unpaid, status: "none", plan: "free" }, "Nothing is paid."],
    ["a gift", { ...unpaid, status: "none", plan: "team" }, "Set by the operator of this instance; nothing is paid."],
    ["ended", { status: "canceled", plan: "free" }, "The subscription has ended. The plan is Free now."],
    ["not sold", { available: false, plan: "team" }, "Plans on this instance are managed by the administrator."],
  ])("%s", (_name, given, words) => {
    expect(said(given)).toBe(words);
  });

  test("of a failed payment names the day until which the plan goes on, and is urgent", () => {
    const graced = billing({ status: "past_due", graceUntil: "2026-11-28T12:00:00.000Z" });
    expect(statusWords(graced, now)).toEqual({
      text: "The last payment failed. Pro goes on until 28 November 2026; without a payment by then it ends. Nothing is published by that, and nobody is shut out.",
      isUrgent: true,
    });
    const over = statusWords({ ...graced, plan: "free" }, Date.parse("2026-11-29T12:00:00.000Z"));
    expect(over.text).toStartWith(
      "The last payment failed, and the days of grace ended on 28 November 2026. The plan is Free now.",
    );
  });

  test("is said of every one there is", () => {
    for (const status of billingStatuses) {
      const text = said({ status, plan: "free" });
      expect(text).toMatch(/^[A-Z].+\.$/);
      expect(text).not.toMatch(/null|undefined/);
      expect(said({ ...unpaid, status, plan: "free" })).not.toMatch(/null|undefined/);
    }
  });
});

test("retention is said in days, and when it shortens", () => {
  expect(retentionWords(billing()).text).toStartWith("Older versions are kept for 365 days, activity for 90.");
  expect(retentionWords(billing({ plan: "team" })).text).toStartWith(
    "Older versions and activity are kept for 365 days.",
  );
  expect(retentionWords(billing({ plan: "free", retentionShortensAt: "2026-11-29T12:00:00.000Z" }))).toEqual({
    text: "Until 29 November 2026 everything is kept for as long as before. From then on older versions are kept for 30 days and activity for 7; what is older then is gone for good.",
    isUrgent: true,
  });
});

test("a plan is held where it is another workspace's", () => {
  expect(isHeld(billing())).toBe(false);
  expect(isHeld(billing({ holder: { workspaceId: "wsp_2", slug: "grace" } }))).toBe(true);
});

test("an invoice's status is in words, and one we do not know in Stripe's", () => {
  expect(["open", "paid", "reversed"].map(invoiceWords)).toEqual(["Due", "Paid", "reversed"]);
});
