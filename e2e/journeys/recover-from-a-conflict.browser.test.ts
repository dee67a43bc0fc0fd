// A user flow: two people write at once. Changes that do not overlap are merged, and the others are decided place by
// place; nothing is lost, and a further conflict starts another round.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { hasFocus, pressOn, tabTo } from "../harness/keyboard.ts";
import { createArtifact, fresh } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { testSite } from "../harness/test-site.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

// The expected conflict is an error to the browser.
afterEach(() => expect(site.complaints.filter((line) => !line.includes("status of 409"))).toEqual([]));

const text = "# Title\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n";

/** Opens the editor of a new artifact; returns it with the actions of a second author. */
async function editing() {
  const { artifactId, title, url } = await createArtifact(site.owner, site.projectSlug, {
    content: text,
    title: fresh("Report"),
  });
  const page = await site.open(`${new URL(url).pathname}/edit`, site.session);
  await editor(page).waitFor();
  /** The second author saves. */
  const save = (content: string) => site.owner.client.call("version.create", { artifactId, content });
  return {
    page,
    preview: page.getByTitle(`Preview of ${title}`).last().contentFrame(),
    source: () => site.owner.client.call("version.content", { artifactId }),
    save,
    /** The second author saves, and the page receives the event. */
    meanwhile: async (content: string) => {
      await save(content);
      await page.getByText(/ published v\d+ while you were editing/).waitFor();
    },
  };
}

const editor = (page: Page) => page.getByRole("textbox", { name: /^Markdown of/ });
const conflict = (page: Page, n: number, count: number) =>
  page.getByRole("group", { name: `Conflict ${n} of ${count}` });
const said = (page: Page, words: string) => page.getByRole("status").getByText(words).waitFor();
const theirs = text.replace("One.", "One. Theirs.").replace("Three.", "Three. Theirs.").replace("Five.", "V.");

async function writeAfter(page: Page, found: string, more: string) {
  await editor(page).focus();
  await editor(page).getByText(found, { exact: true }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(more);
}

test("by role and label: what does not overlap is merged at a press", async () => {
  const { page, preview, meanwhile, source } = await editing();
  await writeAfter(page, "Five.", " Mine.");
  await meanwhile(text.replace("One.", "One. Theirs."));
  await page.getByRole("button", { name: "Merge" }).click();
  await page.getByText("without conflicts", { exact: false }).waitFor();
  await preview.getByText("One. Theirs.").waitFor();
  await page.getByRole("button", { name: "Save v3" }).click();
  await page.getByText("Saved as v3.").waitFor();
  expect(await source()).toBe(text.replace("One.", "One. Theirs.").replace("Five.", "Five. Mine."));
});

test("by role and label: what overlaps is decided place by place", async () => {
  const { page, meanwhile, source } = await editing();
  await writeAfter(page, "One.", " Mine.");
  await writeAfter(page, "Three.", " Mine.");
  await meanwhile(theirs);
  await page.getByRole("button", { name: /^Save v/ }).click();
  await page.getByRole("heading", { name: "Two people changed the same lines" }).waitFor();
  await conflict(page, 1, 2).getByText("Take mine").click();
  await said(page, "1 of 2 conflicts left.");
  await conflict(page, 2, 2).getByText("Edit manually").click();
  await conflict(page, 2, 2).getByLabel("Result").fill("Three, by both.");
  await said(page, "All conflicts are resolved.");
  await page.getByRole("button", { name: "Save v3" }).click();
  await page.getByText("Saved as v3.").waitFor();
  expect(await source()).toBe("# Title\n\nOne. Mine.\n\nTwo.\n\nThree, by both.\n\nFour.\n\nV.\n");
});

test("by keyboard alone, and again after a second conflict", async () => {
  const { page, meanwhile, save, source } = await editing();
  const { keyboard } = page;
  await tabTo(page, editor(page));
  await keyboard.press("Control+Home");
  for (let down = 0; down < 2; down++) await keyboard.press("ArrowDown");
  await keyboard.press("End");
  await keyboard.type(" Mine.");
  for (let down = 0; down < 4; down++) await keyboard.press("ArrowDown");
  await keyboard.press("End");
  await keyboard.type(" Mine.");
  await meanwhile(theirs);
  await keyboard.press("Control+s");

  const heading = page.getByRole("heading", { name: "Two people changed the same lines" });
  await heading.waitFor();
  expect(await hasFocus(heading)).toBe(true);
  await said(page, "2 of 2 conflicts left.");
  const [first, second] = [conflict(page, 1, 2), conflict(page, 2, 2)];
  await first.getByRole("heading", { name: /Theirs, v2/ }).waitFor();
  /** Of four choices, the one this many steps to the right. */
  const choose = async (group: typeof first, right: number) => {
    await tabTo(page, group.getByLabel("Take mine"));
    await keyboard.press("Space");
    for (let steps = 0; steps < right; steps++) await keyboard.press("ArrowRight");
  };
  await choose(first, 2);
  expect(await first.getByLabel("Take both").isChecked()).toBe(true);
  await said(page, "1 of 2 conflicts left.");
  await choose(second, 3);
  expect(await second.getByLabel("Edit manually").isChecked()).toBe(true);
  await tabTo(page, second.getByLabel("Result"));
  await keyboard.press("Control+a");
  await keyboard.type("Three, by both.");
  await said(page, "All conflicts are resolved.");

  await save(theirs.replace("Three. Theirs.", "Three. Again."));
  await pressOn(page, page.getByRole("button", { name: "Save v3" }));
  await conflict(page, 1, 1).waitFor();
  expect(await hasFocus(heading)).toBe(true);
  await choose(conflict(page, 1, 1), 0);
  await pressOn(page, page.getByRole("button", { name: "Save v4" }));
  await page.getByText("Saved as v4.").waitFor();
  // The pressed button disappears, and the editor has the focus again.
  expect(await hasFocus(editor(page))).toBe(true);
  expect(await source()).toBe("# Title\n\nOne. Theirs.\nOne. Mine.\n\nTwo.\n\nThree, by both.\n\nFour.\n\nV.\n");
});
