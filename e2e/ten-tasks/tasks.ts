// The ten tasks as a person tells them, what was there before, and what has to be true afterwards. Knows no surface.
import { expect } from "bun:test";

import type { Instance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject, fresh, type Person } from "../harness/people.ts";

export const days = [
  "# Orders\n\n## North\n\n12 open\n\n## South\n\n7 open\n",
  "# Orders\n\n## North\n\n9 open\n\n## South\n\n7 open\n",
] as const;

export const folder: Readonly<Record<string, string>> = {
  "handbook.md": "# Handbook\n\nSee [rules](rules.md) and [people](people.md).\n",
  "people.md": "# People\n\nAda and Grace.\n",
  "rules.md": "# Rules\n\nBe kind.\n",
};

export interface Stage {
  readonly instance: Instance;
  readonly person: Person;
  /** The text of the report of last month. */
  readonly report: string;
  /** The first instants of last month and of this one. */
  readonly lastMonth: string;
  readonly thisMonth: string;
  /** The slug that the daily page gets in its move. */
  readonly moved: string;
}

/** An account with a project that has a report of last month and one of this, each month being a moment long. */
export async function setStage(instance: Instance): Promise<Stage> {
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  // Private, because a search finds what others have published.
  const publish = (content: string) =>
    createArtifact(person, slug, { title: "Costs", content, access: { publicView: false, publicEdit: false } });
  const moment = async () => {
    await Bun.sleep(5);
    const now = new Date().toISOString();
    await Bun.sleep(5);
    return now;
  };
  const report = `# Costs\n\n${fresh("figure")}\n`;
  const lastMonth = await moment();
  await publish(report);
  const thisMonth = await moment();
  await publish("# Costs\n\nof this month\n");
  const found = () => person.client.call("artifact.list", { q: "Costs" });
  while ((await found()).artifacts.length < 2) await Bun.sleep(50);
  return { instance, person, report, lastMonth, thisMonth, moved: fresh("orders") };
}

/** What the person says, task by task. */
export const said = ({ lastMonth, thisMonth, moved }: Stage) => ({
  daily: `Publish the file orders.md every day to one address, titled "Orders", slug orders, private.
Yesterday's: ${days[0]}
Today's: ${days[1]}`,
  change: `In its section South, "7 open" is "8 open".`,
  back: "The last change was wrong: go back to the version before.",
  share: `Give a client a viewer link labelled "Client" for 7 days.`,
  find: `What did the report of last month say (from ${lastMonth} until ${thisMonth})? Its title has the word Costs.`,
  compare: "What changed between the first and the second version, 1 and 2?",
  folder: `Publish the folder docs: ${Object.entries(folder)
    .map(([name, text]) => `${name}, slug ${name.replace(".md", "")}, titled "${titleOf(text)}":\n${text}`)
    .join("\n")}`,
  conflict: `Replace it with "# Orders\n\nnone\n", but not if someone has published a newer version than 2. If someone has,
change only "9 open" to "10 open" in theirs.`,
  move: `Move it to the slug ${moved}.`,
  cleanUp: "Delete it.",
});

export const replacement = "# Orders\n\nnone\n";
export const titleOf = (text: string): string => /^# (.+)/.exec(text)?.[1] ?? "";

/** Checks over REST what the tasks have left. */
export async function requireDone(
  { person: { client, username: owner }, moved }: Stage,
  projectSlug: string,
): Promise<void> {
  for (const name of Object.keys(folder)) {
    const slug = name.replace(".md", "");
    expect(await client.call("artifact.getByPath", { owner, projectSlug, slug })).toMatchObject({ slug });
  }
  const { artifacts } = await client.call("artifact.listMine", { limit: 100, deleted: true });
  const artifactId = artifacts.find(({ slug }) => slug === moved)?.artifactId ?? "";
  await client.call("artifact.undelete", { artifactId });
  const contents = await Promise.all(
    [1, 2, 3, 4, 5].map(async (version) => (await client.send("version.content", { artifactId, version })).text()),
  );
  const changed = days[1].replace("7 open", "8 open");
  expect(contents).toEqual([days[0], days[1], changed, days[1], days[1].replace("9 open", "10 open")]);
  const { shareLinks } = await client.call("shareLink.list", { artifactId, limit: 10 });
  expect(shareLinks).toMatchObject([{ label: "Client", role: "viewer" }]);
  const daysLeft = (Date.parse(shareLinks[0]?.expiresAt ?? "") - Date.now()) / 86_400_000;
  expect(Math.round(daysLeft)).toBe(7);
  expect(await client.call("access.get", { artifactId })).toMatchObject({ publicView: false });
}
