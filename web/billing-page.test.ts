// The billing page from a request to its answer: what is asked of the API for it, where its forms may lead, and that it
// shows what there is while Stripe is away.
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { entitlementsOf, planIds, planNames } from "@plinth/contract/plans";
import type { Profile, Workspace } from "@plinth/contract/schemas/account";
import type { Billing, Invoice, OfferedPlan } from "@plinth/contract/schemas/billing";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { profile } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const cookie = "__Host-plinth_session=good";

const workspace = (slug: string, given: Partial<Workspace> = {}): Workspace => ({
  workspaceId: `wsp_${slug}`,
  slug,
  name: `The place of ${slug}`,
  kind: "team",
  role: "admin",
  plan: "free",
  seats: { used: 1, limit: 1 },
  retention: { versionDays: 30, auditDays: 7, until: null },
  createdAt: "2026-11-01T09:00:00.000Z",
  ...given,
});
const workspaces = [
  workspace("ada", { kind: "personal" }),
  workspace("acme", { role: "billing_admin" }),
  workspace("club", { role: "member" }),
];

const bought = {
  plan: "pro",
  boughtPlan: "pro",
  status: "active",
  interval: "month",
  currentPeriodEnd: "2026-12-22T12:00:00.000Z",
  seats: { used: 1, limit: 1 },
  usage: { privateArtifacts: 3, artifacts: 8, storageBytes: 1_430_000, fileBytes: 2_000_000 },
} satisfies Partial<Billing>;

function billing(workspaceId: string, given: Partial<Billing> = {}): Billing {
  const plan = given.plan ?? "free";
  return {
    workspaceId,
    plan,
    boughtPlan: null,
    status: "none",
    interval: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    graceUntil: null,
    retentionShortensAt: null,
    seats: { used: 1, limit: entitlementsOf(plan).seats },
    usage: { privateArtifacts: 0, artifacts: 0, storageBytes: 0, fileBytes: 2_000_000 },
    entitlements: entitlementsOf(plan),
    holder: { workspaceId, slug: workspaceId.slice(4) },
    available: true,
    ...given,
  };
}
const offered: OfferedPlan[] = planIds.map((id) => ({
  id,
  name: planNames[id],
  prices:
    id === "free"
      ? []
      : [
          { interval: "month", amount: 1200, currency: "usd" },
          { interval: "year", amount: 12_000, currency: "usd" },
        ],
  entitlements: entitlementsOf(id),
}));
const invoice: Invoice = {
  number: "P-1",
  status: "paid",
  amount: 1200,
  currency: "usd",
  createdAt: "2026-11-22T12:00:00.000Z",
  url: "https://invoice.stripe.com/i/1",
};

interface Answers {
  given: Partial<Billing>;
  destination: string;
  /** By the end of the path, what Stripe is away for. */
  away: string[];
  pricesKnown: boolean;
  profile: Profile;
}
const asked: Request[] = [];
let answers: Answers;

function offer() {
  if (answers.pricesKnown) return { plans: offered, nextCursor: null, pricesKnown: true };
  return { plans: offered.map((plan) => ({ ...plan, prices: [] })), nextCursor: null, pricesKnown: false };
}

/** The API as far as the page asks it. */
async function api(request: Request): Promise<Response> {
  asked.push(request.clone());
  const { pathname, searchParams } = new URL(request.url);
  const body = request.method === "GET" ? {} : ((await request.json()) as { workspaceId?: string });
  const workspaceId = body.workspaceId ?? searchParams.get("workspaceId") ?? "wsp_ada";
  const isAway = answers.away.some((end) => pathname.endsWith(end));
  if (isAway) return unavailable();
  if (pathname === "/api/profile/me") return Response.json(answers.profile);
  if (pathname === "/api/workspaces") return Response.json({ workspaces, nextCursor: null });
  if (pathname === "/api/billing/invoices") return Response.json({ invoices: [invoice], nextCursor: null });
  const shown = billing(workspaceId.replace(/^(?!wsp_)/, "wsp_"), answers.given);
  if (pathname === "/api/billing/me" && searchParams.get("withPlans") === "true")
    return Response.json({ ...shown, offer: offer() });
  if (pathname === "/api/billing/refresh") return Response.json(shown);
  if (request.method === "POST") return Response.json({ url: answers.destination });
  if (pathname === "/api/workspaces/club/members")
    return Response.json({ members: [{ username: "grace", role: "admin" }], nextCursor: null });
  throw new Error(`nothing answers ${request.method} ${pathname}`);
}

function unavailable(): Response {
  const code = "billing_unavailable";
  const problem = { type: "x", title: code, status: 503, detail: "Stripe can't be reached", code, requestId: "req_1" };
  return Response.json(problem, { status: 503, headers: { "content-type": "application/problem+json" } });
}

let web: WebHandler;
beforeAll(async () => {
  await ensureBuilt();
  web = await createWebHandler({ api, publicUrl, version: "1" });
}, 120_000);
beforeEach(() => {
  asked.length = 0;
  answers = {
    given: {},
    destination: "https://checkout.stripe.com/c/pay/cs_1",
    away: [],
    pricesKnown: true,
    profile: profile({ workspaces }),
  };
});

const peer = { clientAddress: "203.0.113.9" };
/** As a browser asks that comes from another site. */
const get = (query = "") => {
  const headers = { accept: "text/html", cookie, "sec-fetch-site": "cross-site" };
  return web(new Request(`${publicUrl}/settings/billing${query}`, { headers }), peer);
};
const textOf = async (query = "") => {
  const answer = await get(query);
  expect(answer.status).toBe(200);
  return answer.text();
};
const post = (action: string, fields: Record<string, string>) =>
  web(
    new Request(`${publicUrl}/settings/billing?/${action}&workspace=ada`, {
      method: "POST",
      headers: { accept: "text/html", cookie, origin: publicUrl },
      body: new URLSearchParams({ workspaceId: "wsp_ada", ...fields }),
    }),
    peer,
  );
const formsOf = (answer: Response) =>
  /form-action ([^;]+)/.exec(answer.headers.get("content-security-policy") ?? "")?.[1];
const paths = () => asked.map((request) => `${request.method} ${new URL(request.url).pathname}`);

describe("whose plan", () => {
  test("one's own where no workspace is named, and any other that one may see", async () => {
    expect(await textOf()).toContain("Billing of The place of ada");
    const other = await textOf("?workspace=acme");
    expect(other).toContain("Billing of The place of acme");
    expect(other).toContain('href="/settings/billing?workspace=ada"');
    expect(other).not.toContain("/settings/billing?workspace=club");
  });

  test("a member sees whom to ask, and a non-member a page that isn't there", async () => {
    const member = await get("?workspace=club");
    expect(member.status).toBe(403);
    const html = await member.text();
    expect(html).toContain("You don't have access to billing");
    expect(html).toContain("(grace) to change your role.");
    expect((await get("?workspace=others")).status).toBe(404);
  });
});

describe("where its forms lead", () => {
  test("to Stripe's pages, from this page alone", async () => {
    expect(formsOf(await get())).toBe("'self' https://checkout.stripe.com https://billing.stripe.com");
    const other = await web(new Request(`${publicUrl}/settings/account`, { headers: { cookie } }), peer);
    expect(formsOf(other)).toBe("'self'");
    const doubled = await createWebHandler({ api, publicUrl, stripeOrigin: "http://127.0.0.1:12111", version: "1" });
    const answer = await doubled(new Request(`${publicUrl}/settings/billing`, { headers: { cookie } }), peer);
    expect(formsOf(answer)).toBe("'self' http://127.0.0.1:12111");
  });

  test.each([
    ["checkout", "https://checkout.stripe.com/c/pay/cs_1#fid"],
    ["portal", "https://billing.stripe.com/p/session/1"],
    ["checkout", `${publicUrl}/settings/billing?workspace=ada`],
  ])("%s: at once to %s", async (action, destination) => {
    answers.destination = destination;
    const answer = await post(action, { plan: "pro", interval: "year" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, destination]);
    const sent = asked.find((request) => request.url.endsWith(`/api/billing/${action}`));
    expect(await sent?.json()).toEqual(
      action === "portal" ? { workspaceId: "wsp_ada" } : { workspaceId: "wsp_ada", plan: "pro", interval: "year" },
    );
  });

  test("an operator's own domain at Stripe is a link to follow", async () => {
    answers.destination = "https://pay.example.com/c/pay/cs_1";
    const answer = await post("checkout", { plan: "pro", interval: "year" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('href="https://pay.example.com/c/pay/cs_1" rel="noopener noreferrer"');
  });

  test.each(["http://evil.example/pay", "javascript:alert(1)"])(
    "the page does not redirect to %s",
    async (destination) => {
      answers.destination = destination;
      const answer = await post("checkout", { plan: "pro", interval: "year" });
      expect([answer.status, answer.headers.get("location")]).toEqual([500, null]);
      expect(await answer.text()).not.toContain(destination);
    },
  );

  test("a refusal comes back in words, beside the page", async () => {
    answers.away = ["/checkout"];
    const answer = await post("checkout", { plan: "pro", interval: "year" });
    expect(answer.status).toBe(503);
    const page = await answer.text();
    expect(page).toContain("Stripe can't be reached");
    expect(page).toContain("Current plan");
  });
});

describe("coming back from Stripe", () => {
  const refreshes = () => asked.filter((request) => request.url.endsWith("/api/billing/refresh"));

  test("asks once, as the page itself, and shows what is so then", async () => {
    answers.given = bought;
    const page = await textOf("?workspace=ada&from=checkout");
    expect(refreshes().map(({ headers }) => headers.get("origin"))).toEqual([publicUrl]);
    const told = paths().filter((path) => path.includes("billing"));
    expect(told).toEqual(["POST /api/billing/refresh", "GET /api/billing/me", "GET /api/billing/invoices"]);
    expect(page).toContain("You're now on Pro.");
    expect(page).not.toContain("has not confirmed yet");
  });

  test("says so where Stripe has not confirmed, or can't be asked", async () => {
    expect(await textOf("?workspace=ada&from=checkout")).toContain("Stripe has not confirmed yet.");
    answers.away = ["/refresh"];
    for (const from of ["checkout", "portal"])
      expect(await textOf(`?workspace=ada&from=${from}`)).toContain("Stripe has not confirmed yet.");
    expect(refreshes()).toHaveLength(3);
  });

  test("anything else asks nothing of Stripe", async () => {
    await textOf("?workspace=ada&from=elsewhere");
    expect(refreshes()).toEqual([]);
  });
});

describe("what it shows", () => {
  test("prices, status, usage, what less would mean, and invoices", async () => {
    answers.given = bought;
    const page = (await textOf()).replaceAll(/<!--[^>]*-->|\s+/g, " ");
    for (const words of [
      "It renews on 22 December 2026.",
      "Old versions are kept for 365 days, activity for 90.",
      "1.4 MB",
      "All 3 private artifacts stay private",
      "Pay yearly instead",
      "$12.00",
      'href="https://invoice.stripe.com/i/1"',
    ])
      expect(page).toContain(words);
  });

  test("all but prices and invoices where Stripe can't be reached", async () => {
    answers.given = bought;
    answers.away = ["/invoices"];
    answers.pricesKnown = false;
    const page = await textOf();
    expect(page).toContain("prices or invoices are missing here");
    expect(page).toContain("It renews on 22 December 2026.");
    expect(page).toContain("1.4 MB");
    expect(page).not.toContain("Change to Team");
  });

  test("where nothing is sold, who sets plans", async () => {
    answers.given = { available: false, plan: "team" };
    const page = await textOf();
    expect(page).toContain("Plans on this instance are managed by the administrator.");
    expect(page).toContain("plinth operator plan set --workspace-id wsp_ada");
    expect(page).not.toContain("/checkout");
  });

  test("a team on another account's plan: whose it is, and how to buy a separate one", async () => {
    answers.given = { ...bought, plan: "team", holder: { workspaceId: "wsp_ada", slug: "ada" } };
    const page = (await textOf("?workspace=acme")).replaceAll(/<!--[^>]*-->|\s+/g, " ");
    expect(page).toContain("This team is on the plan of");
    expect(page).toContain("Upgrade this team to Team");
    expect(page).not.toContain("at Stripe </button>");
  });
});
