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
    ["active", {}, "Active, paid monthly. It renews on 22 December 2026."],
    ["by the year", { interval: "year" }, "Active, paid yearly. It renews on 22 December 2026."],
    [
      "cancelled",
      { cancelAtPeriodEnd: true },
      "Cancelled: it stays active until 22 December 2026. You won't be charged again.",
    ],
    [
      "bought beside a gift",
      { plan: "team", boughtPlan: "pro" },
      "Active, paid monthly. It renews on 22 December 2026. You pay for Pro; this instance's administrator has set Team.",
    ],
    ["on trial", { status: "trialing" }, "On trial until 22 December 2026, then paid monthly."],
    ["free", { ...unpaid, status: "none", plan: "free" }, "This plan is free."],
    ["a gift", { ...unpaid, status: "none", plan: "team" }, "Set by this instance's administrator, at no charge."],
    ["ended", { status: "canceled", plan: "free" }, "The subscription has ended. You're on Free now."],
    ["not sold", { available: false, plan: "team" }, "Plans on this instance are managed by the administrator."],
  ])("%s", (_name, given, words) => {
    expect(said(given)).toBe(words);
  });

  test("of a failed payment names the day until which the plan goes on, and is urgent", () => {
    const graced = billing({ status: "past_due", graceUntil: "2026-11-28T12:00:00.000Z" });
    expect(statusWords(graced, now)).toEqual({
      text: "The last payment failed. Pro ends on 28 November 2026 unless you pay by then. Nothing becomes public and no one loses access.",
      isUrgent: true,
    });
    const over = statusWords({ ...graced, plan: "free" }, Date.parse("2026-11-29T12:00:00.000Z"));
    expect(over.text).toStartWith(
      "The last payment failed, and the grace period ended on 28 November 2026. You're on Free now.",
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
  expect(retentionWords(billing()).text).toStartWith("Old versions are kept for 365 days, activity for 90.");
  expect(retentionWords(billing({ plan: "team" })).text).toStartWith(
    "Old versions and activity are kept for 365 days.",
  );
  expect(retentionWords(billing({ plan: "free", retentionShortensAt: "2026-11-29T12:00:00.000Z" }))).toEqual({
    text: "Until 29 November 2026 everything is kept as before. After that, old versions are kept for 30 days and activity for 7; anything older is permanently deleted.",
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
