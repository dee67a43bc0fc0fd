// A user flow: a personal project moves to a team. Its former URLs redirect, the team sees it, and nothing is lost.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { inputDriversOf } from "../harness/input-drivers.ts";
import { clientOf, createArtifact, createPerson, fresh, operatorOf, signIn } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

// A form's refusal is an error to the browser, and its status to the test.
afterEach(() => expect(site.complaints.filter((line) => !line.includes("status of 400"))).toEqual([]));

/** A person whose project has a private artifact, in two versions and shared by a link, and a team with a colleague. */
async function begun() {
  const { instance } = site;
  const [ada, colleague] = [await createPerson(instance), await createPerson(instance)];
  const session = await signIn(instance, ada.userId);
  const team = await clientOf(instance.origin, session).call("workspace.create", {
    slug: fresh("team"),
    name: fresh("Acme"),
  });
  const { workspaceId } = team;
  await operatorOf(instance).call("operator.setPlan", { workspaceId, plan: "team" });
  await operatorOf(instance).call("operator.setMember", { workspaceId, userId: colleague.userId, role: "member" });
  const project = await ada.client.call("project.create", { slug: fresh("notes"), title: "Field notes", icon: "N" });
  const made = await createArtifact(ada, project.slug, {
    title: "Board memo",
    content: "# First\n",
    access: { publicView: false, publicEdit: false },
  });
  const { artifactId } = made;
  await ada.client.call("version.create", { artifactId, content: "# Second\n", changelog: "Said better" });
  const { url: link } = await ada.client.call("shareLink.create", { artifactId, role: "viewer", label: "Board" });
  return {
    ada,
    team,
    project,
    artifact: made,
    link: link ?? "",
    session,
    theirs: await signIn(instance, colleague.userId),
    home: `/dashboard/${ada.username}/p/${project.slug}`,
    away: `/dashboard/${team.slug}/p/${project.slug}`,
  };
}

type Begun = Awaited<ReturnType<typeof begun>>;

const artifacts = (page: Page) => page.getByRole("list", { name: "Artifacts" });

/** Checks that everything is there: for the person who moved it, for the colleague, and for the link's holder. */
async function allIsThere(page: Page, { ada, team, project, artifact, link, theirs, home, away }: Begun) {
  const path = `/${team.slug}/${project.slug}/${artifact.slug}`;
  await page.getByRole("status").getByText("Moved.").waitFor();
  expect(new URL(page.url()).pathname).toBe(`${away}/settings`);

  // Former URLs, of the project's dashboard and its public page and of the artifact.
  await page.goto(home);
  await page.waitForURL(`**${away}`);
  await artifacts(page).getByRole("link", { name: "Board memo" }).waitFor();
  await page.goto(`/${ada.username}/${project.slug}`);
  await page.waitForURL(`**/${team.slug}/${project.slug}`);
  await page.getByRole("heading", { level: 1, name: "Field notes" }).waitFor();
  await page.goto(`/${ada.username}/${project.slug}/${artifact.slug}/history`);
  await page.waitForURL(`**${path}/history?to=*`);
  await page.getByRole("navigation", { name: "Versions" }).getByText("Said better").waitFor();

  const colleague = await site.open(`/dashboard/${team.slug}`, theirs);
  await artifacts(colleague).getByRole("link", { name: "Board memo" }).click();
  await colleague.waitForURL(`**${path}`);
  await colleague.getByRole("heading", { level: 1, name: "Board memo" }).waitFor();

  const holder = await site.open(link);
  await holder.waitForURL(`**${path}`);
  await holder.getByTitle("Board memo", { exact: true }).last().contentFrame().getByText("Second").waitFor();
}

test.each(inputDriversOf("move-a-project"))("a project is moved to a team: %s", async (_, driverFor) => {
  const all = await begun();
  const { ada, team, project, session } = all;
  const page = await site.open(`/dashboard/${ada.username}`, session);
  const driver = driverFor(page);
  await driver.press(page.getByRole("navigation", { name: "Projects" }).getByRole("link", { name: "Field notes" }));
  await page.getByRole("heading", { level: 1, name: "Field notes" }).waitFor();
  await driver.press(page.getByText("Edit project"));
  await driver.press(page.getByRole("link", { name: "Move to another workspace" }));
  await driver.choose(page.getByLabel("Workspace", { exact: true }), team.name);
  await page.getByText(`/${team.slug}/${project.slug}`).waitFor();
  // With another word nothing moves, and the field shows an error.
  await driver.write(page.getByLabel("Confirmation"), "notes");
  await driver.press(page.getByRole("button", { name: "Move this project" }));
  await page.getByText(`must be ${project.slug}, as in the URL`).waitFor();
  await driver.write(page.getByLabel("Confirmation"), project.slug);
  await driver.press(page.getByRole("button", { name: "Move this project" }));
  await allIsThere(page, all);
});
