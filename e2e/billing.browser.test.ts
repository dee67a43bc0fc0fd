// Plans in Chromium, with and without script: choosing one, paying on the fake Stripe's page, returning with it,
// cancelling, and what remains when the period ends. Uses only what people see and press.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Problem } from "@plinth/contract/errors";
import { ProblemError } from "@plinth/contract/client";
import { startStripe, type StripeFake } from "@plinth/support/stripe/stripe-fake";
import type { Page } from "playwright-core";

import { send } from "./harness/http.ts";
import { violationsIn } from "./harness/inspect-page.ts";
import { clientOf, createArtifact, createPerson, createProject, fresh, operatorOf, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";
import { colorSchemesOf, sample, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(6 * hung);

let stripe: StripeFake;

const site = testSite(async () => {
  stripe = await startStripe();
  const opened = await openSite({ env: { ...stripe.environment, DEFAULT_PLAN: "free" } });
  stripe.events.deliverTo(`${opened.instance.origin}/api/billing/webhook`);
  return opened;
});
afterAll(() => stripe.close());

async function somebody() {
  const person = await createPerson(site.instance, "free");
  const { slug: project } = await createProject(person);
  return { ...person, project, session: await signIn(site.instance, person.userId) };
}
type Somebody = Awaited<ReturnType<typeof somebody>>;

const hidden = { publicView: false, publicEdit: false };
const publishPrivately = (person: Somebody) => createArtifact(person, person.project, { access: hidden });

async function refusalOf(work: Promise<unknown>): Promise<Problem> {
  const refused: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refused instanceof ProblemError)) throw new Error("it was not refused");
  return refused.problem;
}

const planOf = (page: Page) =>
  page
    .getByRole("region", { name: /^(?:Free|Pro|Team)$/ })
    .getByRole("heading")
    .first();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Reloads the page until it shows the plan, because an event from Stripe arrives a moment later. */
async function untilPlan(page: Page, plan: string): Promise<void> {
  const ended = Date.now() + 3 * hung;
  while ((await planOf(page).innerText()) !== plan) {
    if (Date.now() > ended) throw new Error(`it never became ${plan}: ${await page.innerText("main")}`);
    await page.goto(page.url().replace(/&from=\w+/, ""));
  }
}

// With script or without, by the seed of the run; `TEST_SAMPLES=all bun run test e2e/billing` has both.
describe.each(sample([true, false], 1, testRandom("billing", "script")))("script %p", (javaScriptEnabled) => {
  test("choose, pay, entitled; portal, cancel, and when the period ends what is private stays private", async () => {
    const person = await somebody();
    const refusal = await refusalOf(publishPrivately(person));
    expect(refusal.code).toBe("plan_required");
    const page = await site.open(String(refusal["upgradeUrl"]), person.session, { javaScriptEnabled });
    expect(new URL(page.url()).search).toBe(`?workspace=${person.username}`);
    expect(await planOf(page).innerText()).toBe("Free");

    await page.getByText("Yearly").click();
    await page.getByText("$120").waitFor();
    await page.getByText("Monthly").click();
    await press(page, "Upgrade to Pro");
    await page.waitForURL(`${stripe.url}/**`);
    /** Pages with this plan, and the request for another one. */
    const shown: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() === 200 && /\/settings\/billing(?:\/__data\.json)?\?/.test(answer.url()))
        shown.push(answer.url());
    });
    await press(page, "Pay");
    await page.waitForURL("**/settings/billing?*from=checkout");
    // The first page shows it without waiting for an event.
    await page.getByText("You're now on Pro.").waitFor();
    expect(shown).toHaveLength(1);
    expect(await planOf(page).innerText()).toBe("Pro");
    const made = await publishPrivately(person);

    await page.goto(`/settings/billing?workspace=${person.username}`);
    await page.getByText("$12.00").waitFor();
    await page.getByText("Your 1 private artifact stays private").waitFor();
    await press(page, "Payment and invoices at Stripe");
    await page.waitForURL(`${stripe.url}/**`);
    await press(page, "Cancel at period end");
    await page.getByRole("link", { name: "Return" }).click();
    await page.waitForURL("**/settings/billing?*from=portal");
    await page.getByText(/^Cancelled: it stays active until \d+ \w+ 20\d\d\./).waitFor();
    expect(await planOf(page).innerText()).toBe("Pro");

    stripe.advance(32);
    await stripe.events.settled();
    await untilPlan(page, "Free");
    await page.getByText(/^Until \d+ \w+ 20\d\d everything is kept as before\./).waitFor();
    expect((await refusalOf(publishPrivately(person))).code).toBe("plan_required");
    const path = new URL(made.url).pathname;
    expect((await send(site.instance.origin + path)).status).toBe(404);
    const { access } = await person.client.call("artifact.get", { artifactId: made.artifactId });
    expect(access.publicView).toBe(false);
  });

  test("cancelling at Stripe buys nothing, and leads back", async () => {
    const { username, session } = await somebody();
    const page = await site.open("/settings/billing", session, { javaScriptEnabled });
    await press(page, "Upgrade to Team");
    await page.waitForURL(`${stripe.url}/**`);
    await page.getByRole("link", { name: "Back" }).click();
    await page.waitForURL(`**/settings/billing?workspace=${username}`);
    expect(await planOf(page).innerText()).toBe("Free");
    expect(await page.getByText("You're now on").count()).toBe(0);
  });
});

test("while Stripe has not confirmed the page says so, and asks until it has", async () => {
  const { username, session } = await somebody();
  const buying = await site.open("/settings/billing", session);
  await press(buying, "Upgrade to Pro");
  await buying.waitForURL(`${stripe.url}/**`);
  const waiting = await site.open(`/settings/billing?workspace=${username}&from=checkout`, session);
  await waiting.getByText("Stripe has not confirmed yet.").waitFor();
  await press(buying, "Pay");
  await waiting.getByText("You're now on Pro.").waitFor();
});

test("a payment that fails is said with the day until which the plan goes on, and is paid at Stripe", async () => {
  const { username, session } = await somebody();
  const page = await site.open("/settings/billing", session);
  await press(page, "Upgrade to Pro");
  await page.waitForURL(`${stripe.url}/**`);
  await page.getByLabel("Card").selectOption("later");
  await press(page, "Pay");
  await page.getByText("You're now on Pro.").waitFor();
  stripe.advance(32);
  await stripe.events.settled();
  await page.goto(`/settings/billing?workspace=${username}&from=portal`);
  await page.getByText(/^The last payment failed\. Pro ends on \d+ \w+ 20\d\d unless/).waitFor();
  await press(page, "Pay at Stripe");
  await press(page, "Use one that pays");
  await press(page, "Pay the open invoice");
  await page.getByRole("link", { name: "Return" }).click();
  await page.getByText(/^Active, paid monthly\./).waitFor();
});

describe("a team's plan", () => {
  let owner: Somebody;
  let team: { slug: string; workspaceId: string };

  beforeAll(async () => {
    owner = await somebody();
    await operatorOf(site.instance).call("operator.setPlan", { workspaceId: owner.workspaceId, plan: "team" });
    const client = clientOf(site.instance.origin, owner.session);
    team = await client.call("workspace.create", { slug: fresh("team"), name: "Acme Research" });
  });

  async function joined(role: "member" | "billing_admin"): Promise<Somebody> {
    const person = await somebody();
    const { workspaceId } = team;
    await operatorOf(site.instance).call("operator.setMember", { workspaceId, userId: person.userId, role });
    return person;
  }

  test("on its creator's plan names the creator, and links there and to a separate plan", async () => {
    const page = await site.open(`/settings/workspaces/${team.slug}`, owner.session);
    await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Billing" }).click();
    await page.waitForURL(`**/settings/billing?workspace=${team.slug}`);
    await page.getByText("This team is on the plan of").waitFor();
    await page.getByRole("button", { name: "Upgrade this team to Team" }).waitFor();
    await page.getByRole("link", { name: `/${owner.username}` }).click();
    await page.waitForURL(`**/settings/billing?workspace=${owner.username}`);
    await page.getByText("Set by this instance's administrator, at no charge.").waitFor();
  });

  test("a billing admin sees it and buys one, and manages no member", async () => {
    const person = await joined("billing_admin");
    const page = await site.open(`/settings/billing?workspace=${team.slug}`, person.session);
    await page.getByRole("button", { name: "Upgrade this team to Team" }).click();
    await page.waitForURL(`${stripe.url}/**`);
    await press(page, "Pay");
    await page.getByText("You're now on Team.").waitFor();
    expect(await page.getByText("This team is on the plan of").count()).toBe(0);
    await page.goto(`/settings/workspaces/${team.slug}`);
    await page.getByRole("heading", { name: "Members" }).waitFor();
    expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
    expect(await page.getByRole("combobox").count()).toBe(0);
    await page.getByRole("link", { name: "Billing" }).first().waitFor();
  });

  test("a member is told whom to ask", async () => {
    const person = await joined("member");
    const page = await site.open("/settings/billing", person.session);
    expect(await page.getByText("Acme Research").count()).toBe(0);
    const answer = await page.goto(`/settings/billing?workspace=${team.slug}`);
    expect(answer?.status()).toBe(403);
    await page.getByRole("heading", { name: "You don't have access to billing" }).waitFor();
  });
});

test.each(colorSchemesOf("billing"))(
  "axe finds nothing, and nothing is wider than a phone: %s",
  async (colorScheme) => {
    const { username, session } = await somebody();
    const page = await site.open("/settings/billing", session, { colorScheme });
    const look = async () => {
      expect(await violationsIn(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      await page.setViewportSize({ width: 1280, height: 800 });
    };
    await look();
    await page.goto(`/settings/billing?workspace=${username}&from=checkout`);
    await page.getByText("Stripe has not confirmed yet.").waitFor();
    await look();
    await press(page, "Upgrade to Team");
    await page.waitForURL(`${stripe.url}/**`);
    await press(page, "Pay");
    await page.getByText("You're now on Team.").waitFor();
    await look();
  },
);
