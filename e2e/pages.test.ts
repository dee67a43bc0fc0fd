// A person's own pages in Chromium. Uses only what people see and press.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { commandLineClient, oauthPages, oauthPaths } from "@plinth/contract/oauth";
import type { Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { send } from "./harness/http.ts";
import { violationsIn } from "./harness/inspect-page.ts";
import { clientOf, createArtifact, createPerson, createProject, fresh, operatorOf, signIn } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";
import { sample, sampleWithFirst, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

/** The text of a secret that the page shows, which nothing may log from now on. */
const shownSecret = async (page: Page): Promise<string> => trackSecret(await page.locator("[data-secret]").innerText());

async function linkFor(userId: string): Promise<string> {
  const { url } = await operatorOf(site.instance).call("operator.createSignInLink", { userId });
  trackSecret(new URL(url).hash.slice(1));
  return url;
}

const statusWith = async (token: string): Promise<number> =>
  (await send(`${site.instance.origin}/api/profile/me`, { token })).status;

test("a key is shown once, works until it is revoked, and another takes its place", async () => {
  const person = await createPerson(site.instance);
  const session = await signIn(site.instance, person.userId);
  const page = await site.open("/settings/keys", session);
  // Without script the reload below would send the form again.
  await untilScriptRuns(page);
  await page.getByLabel("Name", { exact: true }).fill("laptop");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await shownSecret(page);
  expect(await statusWith(key)).toBe(200);

  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "laptop" });
  await row.waitFor();
  expect(await page.content()).not.toContain(key);

  await row.getByText("Rotate").first().click();
  await row.getByRole("button", { name: "Rotate laptop" }).click();
  await page.getByText("The old key keeps working for 24 hours").waitFor();
  const next = await shownSecret(page);
  expect([await statusWith(key), await statusWith(next)]).toEqual([200, 200]);

  const newest = page.getByRole("row").filter({ hasText: next.slice(-4) });
  await newest.getByText("Revoke").first().click();
  await newest.getByRole("button", { name: "Revoke laptop" }).click();
  await page.getByText("Revoked, together with everything created with it.").waitFor();
  expect(await statusWith(next)).toBe(401);
});

test("an agent that trusts a CI job is made by the page, without a secret", async () => {
  const person = await createPerson(site.instance);
  const page = await site.open("/settings/agents", await signIn(site.instance, person.userId));
  await page.getByLabel("Name", { exact: true }).fill("nightly");
  await page.getByText("For CI: trust its jobs").click();
  await page.getByLabel("Issuer").fill("https://token.actions.githubusercontent.com");
  await page.getByLabel("Subject").fill("repo:*");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("must begin with whose it is").waitFor();
  await page.getByLabel("Subject").fill("repo:our-org/site:ref:refs/heads/main");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText(/PLINTH_AGENT=agt_\w{26}/).waitFor();
  expect(await page.locator("[data-secret]").count()).toBe(0);
  const row = page.getByRole("row").filter({ hasText: "nightly" });
  expect(await row.innerText()).toContain(
    "trusts repo:our-org/site:ref:refs/heads/main of token.actions.githubusercontent.com",
  );
});

test("after a rename the old addresses lead to the new ones", async () => {
  const person = await createPerson(site.instance);
  const { slug: project } = await createProject(person);
  const { slug } = await createArtifact(person, project);
  const page = await site.open("/settings/account", await signIn(site.instance, person.userId));
  await page.getByRole("button", { name: "Check availability" }).waitFor({ state: "hidden" });
  const renamed = fresh("renamed");
  await page.getByRole("textbox", { name: "Username" }).fill(renamed);
  await page.getByRole("button", { name: "Change username" }).click();
  await page.getByText("Username changed. Your page is at").waitFor();

  for (const rest of [`/${project}`, `/${project}/${slug}?v=1&chrome=0`]) {
    const answer = await send(`${site.instance.origin}/${person.username}${rest}`, {
      headers: { accept: "text/html" },
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, `/${renamed}${rest}`]);
  }
});

test("the addresses of a project that was moved by its page lead to where it stands", async () => {
  const person = await createPerson(site.instance);
  const { slug: project } = await createProject(person);
  const { slug } = await createArtifact(person, project);
  const session = await signIn(site.instance, person.userId);
  const team = fresh("team");
  await clientOf(site.instance.origin, session).call("workspace.create", { slug: team, name: "Movers" });
  const page = await site.open(`/dashboard/${person.username}/p/${project}/settings`, session);
  await page.getByRole("combobox", { name: "Workspace" }).selectOption(team);
  await page.getByLabel("Confirmation").fill("something else");
  await page.getByRole("button", { name: "Move this project" }).click();
  await page.getByText(`must be ${project}, as in the URL`).waitFor();
  await page.getByLabel("Confirmation").fill(project);
  await page.getByRole("button", { name: "Move this project" }).click();
  await page.waitForURL(`**/dashboard/${team}/p/${project}/settings?moved`);
  await page.getByText("Moved. The old URL redirects here").waitFor();

  for (const rest of ["", `/${slug}?v=1&chrome=0`]) {
    const answer = await send(`${site.instance.origin}/${person.username}/${project}${rest}`, {
      headers: { accept: "text/html" },
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, `/${team}/${project}${rest}`]);
  }
  const source = await send(`${site.instance.origin}/${person.username}/${project}/${slug}`, {
    headers: { accept: "text/markdown" },
  });
  expect([source.status, source.headers.get("location")]).toEqual([308, `/${team}/${project}/${slug}`]);
});

test("the former addresses of an artifact redirect as a page and as text, and are released on its settings", async () => {
  const person = await createPerson(site.instance);
  const { slug: project } = await createProject(person);
  const { artifactId, slug } = await createArtifact(person, project);
  const next = fresh("renamed");
  await person.client.call("artifact.patch", { artifactId, slug: next });
  const [former, present] = [`/${person.username}/${project}/${slug}`, `/${person.username}/${project}/${next}`];
  const leads = async (path: string, accept: string) => {
    const answer = await send(site.instance.origin + path, { headers: { accept } });
    // A released address can be another artifact's one day: no cache repeats the redirect by itself.
    expect(answer.headers.get("cache-control")).toMatch(/^private, no-(?:cache|store)$/);
    return [answer.status, answer.headers.get("location")];
  };
  for (const [path, accept] of [
    ["?v=1&chrome=0", "text/html"],
    ["/history?from=1&to=1", "text/html"],
    ["?v=1", "text/markdown"],
  ] as const)
    expect(await leads(former + path, accept)).toEqual([308, present + path]);
  expect(await leads(present.toUpperCase(), "text/html")).toEqual([308, present]);
  for (const accept of ["text/html", "*/*"]) {
    expect(await leads(`${present}.md?v=1`, accept)).toEqual([307, `/api/artifacts/${artifactId}/content?version=1`]);
  }
  const source = await send(`${site.instance.origin}${present}.md`, { headers: { accept: "text/markdown" } });
  expect([source.status, source.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);

  const page = await site.open(`${present}/settings`, await signIn(site.instance, person.userId));
  await page.getByText("They redirect here.").waitFor();
  await page.getByRole("button", { name: `Release ${former.slice(1)}` }).click();
  await page.getByText(`Released ${former.slice(1)}.`).waitFor();
  expect((await leads(former, "text/html"))[0]).toBe(404);
});

test("an invitation is shown to the inviter, waits for a sign-in, and works once", async () => {
  const [admin, guest] = await Promise.all([createPerson(site.instance), createPerson(site.instance)]);
  const page = await site.open("/teams/new", await signIn(site.instance, admin.userId));
  const slug = fresh("team");
  await page.getByLabel("Name").fill("Acme");
  await page.getByLabel("URL", { exact: true }).fill(slug);
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.waitForURL(`**/settings/workspaces/${slug}?created`);
  await page.getByLabel("Email").fill(`${guest.username}@example.com`);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await shownSecret(page);
  trackSecret(new URL(link).hash.slice(1));

  const theirs = await site.open(link);
  await theirs.getByText(/^user-\S+ invited you to Acme as a \w+\.$/).waitFor();
  await theirs.getByRole("link", { name: "Sign in", exact: true }).last().click();
  await theirs.waitForURL("**/login?next=*");
  // The one-time link comes into the same tab, which still holds the invitation.
  await theirs.goto(
    `/login?next=${encodeURIComponent("/invitations/accept")}${new URL(await linkFor(guest.userId)).hash}`,
  );
  await theirs.getByRole("button", { name: /^Sign in as/ }).click();
  await theirs.waitForURL("**/invitations/accept");
  await theirs.getByRole("button", { name: "Accept invitation" }).click();
  await theirs.getByRole("heading", { name: "You joined Acme" }).waitFor();

  await page.reload();
  await page
    .getByRole("row")
    .filter({ hasText: guest.username })
    .getByLabel(/^Role of/)
    .waitFor();

  await theirs.goto(link);
  await theirs.getByText("This invitation is no longer valid").waitFor();
});

test("signing out ends the session and leads back to where one was", async () => {
  const person = await createPerson(site.instance);
  const { slug } = await createProject(person);
  const session = await signIn(site.instance, person.userId);
  const page = await site.open(`/${person.username}/${slug}`, session);
  await page.locator("header summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  expect(await statusWith(session)).toBe(401);
});

describe("a program requests access", () => {
  const callback = "http://127.0.0.1:47999/callback";
  const scope = "artifacts:read artifacts:access:write";
  let session: string;
  beforeAll(async () => {
    session = await signIn(site.instance, (await createPerson(site.instance)).userId);
  });

  test.each([
    ["Allow", "code"],
    ["Deny", "error"],
  ])("by the consent page: %s answers with %s", async (button, answered) => {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: commandLineClient.clientId,
      redirect_uri: callback,
      scope,
      state: fresh("state"),
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const page = await site.open(`${oauthPaths.authorize}?${query}`, session);
    await page.getByText("127.0.0.1:47999").waitFor();
    await page.getByText("change who has access, including making an artifact public").waitFor();
    await page.route(`${callback}?*`, (route) => route.fulfill({ status: 200, body: "Back at the program" }));
    await page.getByRole("button", { name: button }).click();
    // Pressed before the page's script runs, the form's answer is a page with a link.
    const way = page.getByRole("link", { name: /^Go back to/ });
    await page.getByText("Back at the program").or(way).first().waitFor();
    if ((await way.count()) > 0) await way.click();
    await page.getByText("Back at the program").waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("state"), searchParams.has(answered)]).toEqual([query.get("state"), true]);
  });

  test("by a code on another screen, once", async () => {
    const asked = await fetch(site.instance.origin + oauthPaths.device, {
      method: "POST",
      body: new URLSearchParams({ client_id: commandLineClient.clientId, scope }),
    });
    const { user_code: code } = (await asked.json()) as { user_code: string };
    const page = await site.open(`${oauthPages.device}?user_code=${code}`, session);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Acting as").waitFor();
    expect(await page.getByText(code).count()).toBe(1);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Go back to your app" }).waitFor();

    await page.goto(`${oauthPages.device}?user_code=${code}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("This code isn't valid").waitFor();
  });
});

test("where nothing is sold, the page of the plan says who sets it and sells nothing", async () => {
  const person = await createPerson(site.instance);
  const page = await site.open("/settings/billing", await signIn(site.instance, person.userId));
  await page.getByText("Plans on this instance are managed by the administrator.").waitFor();
  await page.getByText(`plinth operator plan set --workspace-id ${person.workspaceId}`).waitFor();
  expect(await page.locator("main form").count()).toBe(0);
});

// Pages by the seed of the run; `TEST_SAMPLES=all bun run test e2e/pages.test` has all of them. `bun run stress pages` looks at
// each page of the app as each of its viewers.
const signedOut = sampleWithFirst(
  ["/<project>", "/", "/login", "/login?error=denied", "/invitations/accept#x", "/nothing-here", "/share/nothing"],
  2,
  testRandom("pages", "signed out"),
);
/** Pages that a person sees signed in; the first is in every run. */
const ofPerson = `
  /<artifact>/settings/links /login /<owner> /settings /settings/account /settings/sessions /settings/keys
  /settings/agents /settings/workspaces /settings/workspaces/<team> /settings/workspaces/<team>/activity
  /settings/billing /settings/billing?workspace=<team> /settings/deleted /<artifact> /<artifact>/settings
  /<artifact>/settings/access /<artifact>/settings/views /<artifact>/settings/activity /<artifact>/history
  /workspaces/new/publish /teams/new /invitations/accept#x /device /search?q=first /settings/appearance
  /settings/connect /dashboard/<owner> /dashboard/<owner>?view=list /dashboard/<owner>/projects
  /dashboard/<owner>/publish /<artifact>/edit /<artifact>/history?tab=rendered /<artifact>/settings/rendering
  /oauth/consent?error=invalid_client
`;
const signedIn = sampleWithFirst(ofPerson.trim().split(/\s+/), 5, testRandom("pages", "signed in"));

const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [1440, 390].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);

describe("axe finds nothing, light or dark, wide or narrow", () => {
  let session: string;
  let places: Record<string, string>;
  beforeAll(async () => {
    const person = await createPerson(site.instance);
    const { slug: project } = await createProject(person);
    const { slug: artifact, artifactId } = await createArtifact(person, project, {
      access: { publicView: false, publicEdit: false, viewerEmails: ["ada@example.com"] },
    });
    for (const label of ["Auditors", "Revoked"]) {
      const { shareLinkId, token } = await person.client.call("shareLink.create", {
        artifactId,
        role: "viewer",
        label,
      });
      trackSecret(token ?? "");
      if (label === "Revoked") await person.client.call("shareLink.revoke", { shareLinkId });
    }
    const gone = await createArtifact(person, project, { title: "Deleted" });
    await person.client.call("artifact.delete", { artifactId: gone.artifactId });
    session = await signIn(site.instance, person.userId);
    const client = clientOf(site.instance.origin, session);
    const { slug: team } = await client.call("workspace.create", { slug: fresh("team"), name: "Acme" });
    const path = `${person.username}/${project}`;
    await createArtifact(person, project);
    places = { owner: person.username, project: path, artifact: `${path}/${artifact}`, team };
  });

  async function faults(given: string, who?: string): Promise<object[]> {
    const path = given.replace(/<(\w+)>/, (_, name: string) => places[name] ?? name);
    const found: object[] = [];
    // One of four, by the seed of the run; `TEST_SAMPLES=all bun run test e2e/pages.test` has them all.
    for (const look of sample(looks, 1, testRandom("pages", given))) {
      const page = await site.open(path, who, look);
      await page.getByRole("heading", { level: 1 }).waitFor();
      // Not by the pointer: on a phone, what one opens can lie over the others.
      for (const summary of await page.locator("details > summary").filter({ visible: true }).all())
        await summary.evaluate((element: HTMLElement) => element.click());
      found.push(...(await violationsIn(page)).map((violation) => ({ ...look, ...violation })));
    }
    return found;
  }

  test.each(signedOut)("%s, signed out", async (path) => {
    expect(await faults(path)).toEqual([]);
  });

  test.each(signedIn)("%s, signed in", async (path) => {
    expect(await faults(path, session)).toEqual([]);
  });
});
