import { expect, test } from "bun:test";

import { readEnvironment } from "./environment.ts";

const STRIPE_SECRET_KEY = "sk_test_hidden";
const billingOf = (given: Record<string, string>) => readEnvironment(given).billing;

test("nothing is sold without a key, and nothing but the key is needed to begin", () => {
  expect(billingOf({})).toBeNull();
  expect(billingOf({ STRIPE_SECRET_KEY: " ", STRIPE_PRICE_PRO_MONTHLY: "" })).toBeNull();
  expect(billingOf({ STRIPE_SECRET_KEY })).toEqual({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecrets: [],
    prices: { pro: {}, team: {} },
    apiBase: null,
  });
});

test("secret and restricted keys, of test and live mode", () => {
  for (const key of ["sk_test_a", "sk_live_a", "rk_test_a", "rk_live_a9B_c"])
    expect(billingOf({ STRIPE_SECRET_KEY: key })?.secretKey).toBe(key);
});

test("each price has its variable, and signing secrets come one or several", () => {
  const billing = billingOf({
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: "whsec_new, whsec_old\nwhsec_older",
    STRIPE_PRICE_PRO_MONTHLY: "price_1",
    STRIPE_PRICE_PRO_YEARLY: "price_2",
    STRIPE_PRICE_TEAM_MONTHLY: "price_3",
    STRIPE_PRICE_TEAM_YEARLY: "plan_4",
    STRIPE_API_BASE: "http://127.0.0.1:12111/",
  });
  expect(billing?.prices).toEqual({
    pro: { month: "price_1", year: "price_2" },
    team: { month: "price_3", year: "plan_4" },
  });
  expect(billing?.webhookSecrets).toEqual(["whsec_new", "whsec_old", "whsec_older"]);
  expect(billing?.apiBase).toBe("http://127.0.0.1:12111");
});

test("a wrong value is one line that names its variable and not what was given", () => {
  for (const [name, value] of [
    ["STRIPE_SECRET_KEY", "pk_test_hidden"],
    ["STRIPE_SECRET_KEY", "sk_hidden"],
    ["STRIPE_SECRET_KEY", "sk_test_"],
    ["STRIPE_SECRET_KEY", "sk_test_hidden sk_live_hidden"],
    ["STRIPE_SECRET_KEY", "whsec_hidden"],
    ["STRIPE_WEBHOOK_SECRET", "sk_test_hidden"],
    ["STRIPE_WEBHOOK_SECRET", "whsec_a, hidden"],
    ["STRIPE_WEBHOOK_SECRET", "whsec_"],
    ["STRIPE_PRICE_PRO_MONTHLY", "prod_hidden"],
    ["STRIPE_PRICE_PRO_YEARLY", "sk_live_hidden"],
    ["STRIPE_PRICE_TEAM_MONTHLY", "price_1/../hidden"],
    ["STRIPE_PRICE_TEAM_YEARLY", "10.00"],
    ["STRIPE_API_BASE", "localhost:12111"],
    ["STRIPE_API_BASE", "https://stripe.hidden/v1"],
    ["STRIPE_API_BASE", "https://user:hidden@stripe.example"],
    ["STRIPE_API_BASE", "ftp://hidden"],
  ] as const)
    expect(() => billingOf({ STRIPE_SECRET_KEY, [name]: value })).toThrow(
      new RegExp(`^${name} must be (?!.*hidden)[^\n]*$`),
    );
});

test("one price is not two plans'", () => {
  const STRIPE_PRICE_PRO_MONTHLY = "price_1";
  expect(() => billingOf({ STRIPE_SECRET_KEY, STRIPE_PRICE_PRO_MONTHLY, STRIPE_PRICE_TEAM_YEARLY: "price_1" })).toThrow(
    /^STRIPE_PRICE_TEAM_YEARLY must be another price than STRIPE_PRICE_PRO_MONTHLY$/,
  );
});

test("what belongs to the key is nothing without it", () => {
  for (const [name, value] of [
    ["STRIPE_WEBHOOK_SECRET", "whsec_a"],
    ["STRIPE_PRICE_PRO_MONTHLY", "price_1"],
    ["STRIPE_PRICE_TEAM_YEARLY", "price_1"],
    ["STRIPE_API_BASE", "http://127.0.0.1:1"],
  ] as const)
    expect(() => billingOf({ [name]: value })).toThrow(`STRIPE_SECRET_KEY must be set where ${name} is`);
});

test("the default plan is free where plans are sold, and team elsewhere, unless it is set", () => {
  expect(readEnvironment({}).defaultPlan).toBe("team");
  expect(readEnvironment({ STRIPE_SECRET_KEY }).defaultPlan).toBe("free");
  expect(readEnvironment({ STRIPE_SECRET_KEY, DEFAULT_PLAN: "pro" }).defaultPlan).toBe("pro");
  expect(readEnvironment({ DEFAULT_PLAN: "free" }).defaultPlan).toBe("free");
});

test("separate processes read the same billing settings as the single one", () => {
  const shared = { DATABASE_URL: "postgres://plinth@db/plinth", SECRET: "x".repeat(32), OPERATOR_TOKEN: "plo_" };
  for (const kind of ["api", "worker"] as const) {
    const { billing, defaultPlan } = readEnvironment({ ...shared, STRIPE_SECRET_KEY }, kind);
    expect([kind, billing?.secretKey, defaultPlan]).toEqual([kind, STRIPE_SECRET_KEY, "free"]);
  }
});
