// Waits for the search. Knows only the list of artifacts.
import type { Person } from "./people.ts";
import { eventually } from "./process.ts";

/**
 * Waits until the search finds this many artifacts of the person, because search documents are written a moment after
 * publishing.
 */
export async function untilFound({ client, username }: Person, q: string, count = 1): Promise<void> {
  const found = async () => (await client.call("artifact.list", { owner: username, q })).artifacts;
  await eventually(
    async () => (await found()).length >= count,
    () => `nothing is found for ${q}`,
  );
}

/** Waits until an artifact is found by a word of its latest version. @throws if that takes two minutes */
export async function foundBy(person: Person, word: string, artifactId: string): Promise<void> {
  const found = async () => (await person.client.call("artifact.list", { q: word })).artifacts;
  await eventually(
    async () => (await found()).some((one) => one.artifactId === artifactId),
    () => `${artifactId} is not found by ${word}`,
  );
}
