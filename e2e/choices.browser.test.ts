// Forms that apply a choice as it is made: roles, filters and orders, by pointer, by keys, and before the page's script runs.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";

import { workspaceRoles, type WorkspaceRole } from "@plinth/contract/roles";
import type { Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { tabTo } from "./harness/keyboard.ts";
import {
  clientOf,
  createArtifact,
  createPerson,
  createProject,
  fresh,
  operatorOf,
  signIn,
  type Person,
} from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

afterEach(() => expect(site.complaints).toEqual([]));

/** A team of two, and what its admin's page of people shows. */
async function team() {
  const [admin, member] = await Promise.all([createPerson(site.instance), createPerson(site.instance)]);
  const session = await signIn(site.instance, admin.userId);
  const client = clientOf(site.instance.origin, session);
  const { workspaceId, slug } = await client.call("workspace.create", { slug: fresh("team"), name: "Acme" });
  await operatorOf(site.instance).call("operator.setMember", { workspaceId, userId: member.userId, role: "member" });
  const roleOf = async (): Promise<WorkspaceRole | undefined> =>
    (await client.call("member.list", { workspaceId })).members.find(({ userId }) => userId === member.userId)?.role;
  return { path: `/settings/workspaces/${slug}`, session, member, roleOf };
}

const roleList = (page: Page, { username }: Person) => page.getByLabel(`Role of ${username}`, { exact: true });

/** Holds the scripts of the app back, until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/_app\/.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const answered = (page: Page) => page.waitForResponse((response) => response.request().method() === "POST");

test("a role is changed by choosing it, without a button", async () => {
  const { path, session, member, roleOf } = await team();
  const page = await site.open(path, session);
  await roleList(page, member).waitFor();
  await untilScriptRuns(page);
  expect(await page.getByRole("button", { name: /^Change the role/ }).count()).toBe(0);
  await Promise.all([answered(page), roleList(page, member).selectOption("viewer")]);
  expect(await roleOf()).toBe("viewer");
});

test("by keys a role is applied with Enter or as the focus leaves, and none that an arrow passes", async () => {
  const { path, session, member, roleOf } = await team();
  const page = await site.open(path, session);
  await untilScriptRuns(page);
  let posts = 0;
  page.on("request", (request) => void (posts += request.method() === "POST" ? 1 : 0));
  await tabTo(page, roleList(page, member));
  const before = await roleOf();
  await page.keyboard.press("Home");
  for (const _ of workspaceRoles) await page.keyboard.press("ArrowDown");
  const last = await roleList(page, member).inputValue();
  expect([posts, await roleOf()]).toEqual([0, before]);
  await Promise.all([answered(page), page.keyboard.press("Tab")]);
  expect([posts, await roleOf()]).toEqual([1, last as WorkspaceRole]);
  await tabTo(page, roleList(page, member), { back: true });
  await page.keyboard.type("Viewer");
  await Promise.all([answered(page), page.keyboard.press("Enter")]);
  expect([posts, await roleOf()]).toEqual([2, "viewer"]);
});

test("a role that is refused goes back to what it was, and the page says why", async () => {
  const { path, session, member, roleOf } = await team();
  const page = await site.open(path, session);
  await untilScriptRuns(page);
  const own = page
    .getByRole("row")
    .filter({ hasText: "(you)" })
    .getByLabel(/^Role of/);
  await own.selectOption("viewer");
  await page.getByRole("alert").waitFor();
  expect(await own.inputValue()).toBe("admin");
  expect(await roleList(page, member).inputValue()).toBe((await roleOf()) ?? "");
  expect(site.complaints).toEqual([expect.stringContaining("409")]);
  site.forgive(/409/);
});

test("choices that are made before the page's script runs are applied when it does", async () => {
  const { path, session, member, roleOf } = await team();
  const page = await site.open("/", session);
  let letGo = await holdScripts(page);
  await page.goto(path, { waitUntil: "commit" });
  await roleList(page, member).selectOption("viewer");
  await Promise.all([answered(page), letGo()]);
  expect(await roleOf()).toBe("viewer");
  await page.unrouteAll();

  letGo = await holdScripts(page);
  await page.goto(`${path}/activity`, { waitUntil: "commit" });
  await page.getByLabel("Kind").selectOption("member.role_changed");
  letGo();
  await page.waitForURL(`**${path}/activity?kind=member.role_changed`);
  await page.unrouteAll();

  letGo = await holdScripts(page);
  await page.goto("/search?q=notes", { waitUntil: "commit" });
  await page.getByLabel("Order").selectOption("newest");
  letGo();
  await page.waitForURL("**/search?q=notes&type=&sort=newest");
});

test("the list of versions applies an author and a version that were chosen before its script ran", async () => {
  const person = await createPerson(site.instance);
  const { slug } = await createProject(person);
  const { artifactId, url } = await createArtifact(person, slug);
  const session = await signIn(site.instance, person.userId);
  const asPerson = clientOf(site.instance.origin, session);
  for (const content of ["# Two\n", "# Three\n"]) await asPerson.call("version.create", { artifactId, content });
  const page = await site.open("/", session);
  const path = `${new URL(url).pathname}/history`;
  for (const [choose, wanted] of [
    [() => page.getByRole("radio", { name: "From version 1" }).check(), "from=1"],
    [() => page.getByLabel("Author").selectOption({ label: person.username }), "by="],
  ] as const) {
    const letGo = await holdScripts(page);
    await page.goto(path, { waitUntil: "commit" });
    await choose();
    letGo();
    await page.waitForURL((at) => at.search.includes(wanted));
    await page.unrouteAll();
  }
  await page.getByRole("navigation", { name: "Versions" }).getByRole("link", { name: /^v3/ }).click();
  await page.waitForURL((at) => !at.search.includes("from="));
  expect(await page.getByRole("radio", { name: "From version 2" }).isChecked()).toBe(true);
});

test("what is typed before the page's script runs stays: a version's name, and an edit with its note", async () => {
  const person = await createPerson(site.instance);
  const { slug } = await createProject(person);
  const { artifactId, url } = await createArtifact(person, slug);
  const session = await signIn(site.instance, person.userId);
  const asPerson = clientOf(site.instance.origin, session);
  const page = await site.open("/", session);
  const path = new URL(url).pathname;
  let letGo = await holdScripts(page);
  await page.goto(`${path}/history`, { waitUntil: "commit" });
  await page.getByText("Name v1", { exact: true }).click();
  const name = page.getByRole("textbox", { name: "Name of version 1" });
  await name.fill("Approved");
  letGo();
  await untilScriptRuns(page);
  expect(await name.inputValue()).toBe("Approved");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("navigation", { name: "Versions" }).getByRole("link", { name: "Approved" }).waitFor();
  await page.unrouteAll();

  letGo = await holdScripts(page);
  await page.goto(`${path}/edit`, { waitUntil: "commit" });
  await page.locator('textarea[name="content"]').fill("# Typed early\n");
  await page.getByRole("textbox", { name: "Describe your changes" }).fill("Early");
  letGo();
  await untilScriptRuns(page);
  await page.getByRole("button", { name: "Save v2" }).click();
  await page.getByRole("button", { name: "Save v3" }).waitFor();
  const { versions } = await asPerson.call("version.list", { artifactId });
  expect(versions[0]).toMatchObject({ versionNumber: 2, changelog: "Early" });
  expect(await asPerson.call("version.content", { artifactId, version: 2 })).toBe("# Typed early\n");
});
