// Waits for the search. Knows only the list of artifacts.
import type { Person } from "./people.ts";
import { hung } from "./process.ts";

/**
 * Waits until the search finds this many artifacts of the person, because search documents are written a moment after
 * publishing.
 */
export async function untilFound({ client, username }: Person, q: string, count = 1): Promise<void> {
  const ended = Date.now() + hung;
  while ((await client.call("artifact.list", { owner: username, q })).artifacts.length < count) {
    if (Date.now() > ended) throw new Error(`nothing is found for ${q}`);
    await Bun.sleep(100);
  }
}

/** Waits until an artifact is found by a word of its latest version. @throws if that takes two minutes */
export async function foundBy(person: Person, word: string, artifactId: string): Promise<void> {
  for (const deadline = Date.now() + hung; ;) {
    const { artifacts } = await person.client.call("artifact.list", { q: word });
    if (artifacts.some((found) => found.artifactId === artifactId)) return;
    if (Date.now() > deadline) throw new Error(`${artifactId} is not found by ${word}`);
    await Bun.sleep(100);
  }
}
