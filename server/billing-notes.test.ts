// The start's messages about billing, which do not delay the start while Stripe answers.
import { expect, test } from "bun:test";

import { openBilling } from "@plinth/domain/billing/billing";
import type { BillingConfig } from "@plinth/domain/config";

import { sayPrices, sellingNotes } from "./billing-notes.ts";

const configured: BillingConfig = {
  secretKey: "sk_live_hidden",
  webhookSecrets: ["whsec_hidden"],
  prices: { pro: { month: "price_1" }, team: { month: "price_2", year: "price_3" } },
  apiBase: null,
};
const notes = (changed: Partial<BillingConfig> = {}, publicUrl = "https://plinth.example.com") =>
  sellingNotes({ billing: { ...configured, ...changed }, publicUrl });

test("that plans are sold is one line, and nothing is said where none are", () => {
  expect(sellingNotes({ billing: null, publicUrl: "https://plinth.example.com" })).toEqual([]);
  expect(notes()).toEqual(["Plans are sold through Stripe (live mode), webhook /api/billing/webhook"]);
  expect(notes({ secretKey: "rk_test_a" }, "http://localhost:3000")).toEqual([
    "Plans are sold through Stripe (test mode), webhook /api/billing/webhook",
  ]);
});

test("what is likely a mistake is a line each, without a secret", () => {
  const warned = (...given: Parameters<typeof notes>) => notes(...given).slice(1);
  for (const [said, about] of [
    [warned({ secretKey: "sk_test_hidden" }), "STRIPE_SECRET_KEY is of test mode"],
    [warned({}, "http://127.0.0.1:3000"), "STRIPE_SECRET_KEY is of live mode"],
    [warned({ webhookSecrets: [] }), "STRIPE_WEBHOOK_SECRET is not set"],
    [warned({ apiBase: "http://127.0.0.1:12111" }), "STRIPE_API_BASE is set"],
  ] as const) {
    expect(said).toHaveLength(1);
    expect(said[0]).toStartWith(`Warning: ${about}`);
    expect(said[0]).toMatch(/^(?!.*hidden)[^\n]+$/);
  }
});

/** A fake Stripe's response to a price request. */
type Answer = (id: string) => Response;
const priceOf = (id: string, more: object = {}) =>
  Response.json({
    id,
    object: "price",
    active: true,
    currency: "eur",
    unit_amount: 900,
    product: "prod_1",
    recurring: { interval: "month", interval_count: 1, usage_type: "licensed" },
    ...more,
  });
const refusal = (status: number, error: object) => Response.json({ error }, { status });

/** The messages about the prices with that fake Stripe, and the reported faults. */
async function said(answer: Answer, waitMs?: number) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => answer(new URL(url).pathname.split("/").at(-1) ?? ""),
  });
  try {
    return await saidOf(`http://127.0.0.1:${server.port}`, waitMs);
  } finally {
    await server.stop(true);
  }
}

async function saidOf(apiBase: string, waitMs?: number) {
  const [lines, faults]: [string[], unknown[]] = [[], []];
  const log = { say: (line: string) => void lines.push(line), fault: (error: unknown) => void faults.push(error) };
  await sayPrices(openBilling({ ...configured, apiBase }), log, waitMs);
  expect(faults).toEqual([]);
  return lines;
}

test("each price that is wrong or missing is a line that names its variable", async () => {
  const lines = await said((id) => {
    if (id === "price_1") return priceOf(id, { active: false });
    return id === "price_2"
      ? refusal(404, { type: "invalid_request_error", code: "resource_missing", message: "No such price" })
      : priceOf(id);
  });
  expect(lines).toEqual([
    "Warning: STRIPE_PRICE_PRO_MONTHLY names a price that is archived: price_1.",
    "Warning: STRIPE_PRICE_TEAM_MONTHLY names no price of this Stripe account: price_2.",
    "Warning: STRIPE_PRICE_TEAM_YEARLY names a price that is not paid every year: price_3.",
    "Warning: STRIPE_PRICE_PRO_YEARLY is not set: this is not sold.",
  ]);
});

test("a price of what is used can't be sold", async () => {
  const recurring = { interval: "month", interval_count: 1, usage_type: "metered" };
  const lines = await said((id) => priceOf(id, { recurring }));
  expect(lines[0]).toBe("Warning: STRIPE_PRICE_PRO_MONTHLY names a price of what is used, not of seats: price_1.");
});

test("a key that Stripe does not know or lets do too little, and a Stripe that is away, are one line", async () => {
  const authentication = { type: "invalid_request_error", message: "Invalid API Key provided: sk_live_hidden" };
  for (const [answer, line] of [
    [() => refusal(401, authentication), "Stripe does not know STRIPE_SECRET_KEY"],
    [
      () => refusal(403, { type: "invalid_request_error", message: "rk_live_hidden does not have" }),
      "Stripe lets STRIPE_SECRET_KEY read no prices: a restricted key needs more rights (docs/billing.md)",
    ],
    [
      () => refusal(400, { type: "invalid_request_error", message: "hidden" }),
      "Stripe refused (StripeInvalidRequestError)",
    ],
  ] as const)
    expect(await said(answer)).toEqual([`Warning: ${line}; until it answers nothing can be bought.`]);
  // A port that the system never assigns.
  expect(await saidOf("http://127.0.0.1:1")).toEqual([
    "Warning: Stripe can't be reached; until it answers nothing can be bought.",
  ]);
});

test("a Stripe that says nothing is waited for no longer than that", async () => {
  const silent = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { data: () => undefined } });
  try {
    expect(await saidOf(`http://127.0.0.1:${silent.port}`, 50)).toEqual(["Warning: Stripe has not answered yet."]);
  } finally {
    silent.stop(true);
  }
});
