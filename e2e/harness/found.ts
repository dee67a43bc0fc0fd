// Waits for the search. Knows the list of artifacts alone.
import type { Person } from "./people.ts";
import { hung } from "./process.ts";

/** Until so many of the person's artifacts are found: the words of what was just published are written a moment later. */
export async function untilFound({ client, username }: Person, q: string, count = 1): Promise<void> {
  const ended = Date.now() + hung;
  while ((await client.call("artifact.list", { owner: username, q })).artifacts.length < count) {
    if (Date.now() > ended) throw new Error(`nothing is found for ${q}`);
    await Bun.sleep(100);
  }
}

/** Waits until an artifact is found by a word of its head. @throws where it is not within two minutes */
export async function foundBy(person: Person, word: string, artifactId: string): Promise<void> {
  for (const deadline = Date.now() + hung; ;) {
    const { artifacts } = await person.client.call("artifact.list", { q: word });
    if (artifacts.some((found) => found.artifactId === artifactId)) return;
    if (Date.now() > deadline) throw new Error(`${artifactId} is not found by ${word}`);
    await Bun.sleep(100);
  }
}
