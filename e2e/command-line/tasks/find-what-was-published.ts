// Find what was published in a period, among more artifacts than a page holds.
import { expect } from "bun:test";

import { createArtifact } from "../../harness/people.ts";
import { line } from "./agent.ts";
import type { TaskContext } from "./task-context.ts";

interface Event {
  readonly artifactId: string;
  readonly occurredAt: string;
  readonly after: { readonly title: string };
}
interface Item {
  readonly artifactId: string;
  readonly createdAt: string;
}

export async function findWhatWasPublished(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  const publish = (count: number, title: string) =>
    Promise.all(Array.from({ length: count }, () => createArtifact(owner, projectSlug, { title })));
  for (let round = 0; round < 11; round++) await publish(10, "Early");
  const border = await publish(1, "Border");
  // Times have milliseconds; the next artifact must have a later one.
  await Bun.sleep(2);
  const late = await publish(3, "Late");
  await owner.client.call("version.create", { artifactId: border[0]?.artifactId ?? "", content: "# Newer\n" });

  const failure = await agent.fails(line`audit list --kind artifact.created --since lately`);
  expect(failure.detail).toMatch(/2030-01-31, .*yesterday, friday, 7d/);
  const published = (since: string, until: string) =>
    agent.items<Event>(line`audit list --kind artifact.created --since ${since} --until ${until}`);
  const [now, hourAgo, dayAgo] = [1, -3600, -24 * 3600].map((seconds) =>
    new Date(Date.now() + seconds * 1000).toISOString(),
  );
  const lastHour = await published(hourAgo ?? "", now ?? "");
  expect(lastHour).toHaveLength(114);
  expect(new Set(lastHour.map(({ artifactId }) => artifactId)).size).toBe(114);
  expect(await published(dayAgo ?? "", hourAgo ?? "")).toEqual([]);

  // The time of one event starts the next search, which includes it.
  const since = lastHour.find(({ after }) => after.title === "Border")?.occurredAt ?? "";
  const fromThenOn = (await published(since, now ?? "")).map(({ artifactId }) => artifactId);
  expect(fromThenOn.toSorted()).toEqual([...border, ...late].map(({ artifactId }) => artifactId).toSorted());

  // The list of artifacts, newest first, has the same order by its own times.
  const items = await agent.items<Item>(line`artifact list --sort newest`);
  expect(items.filter(({ createdAt }) => createdAt >= since).map(({ artifactId }) => artifactId)).toEqual(fromThenOn);
  for (const { artifactId } of late)
    expect((await owner.client.call("artifact.get", { artifactId })).createdAt > since).toBe(true);
}
