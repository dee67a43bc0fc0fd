// Inputs and accounts for tests of the pool.
import type { Work } from "../fair-queue.ts";
import { holdPlace, placesOfOne } from "../pool.ts";

/** The input of a task for a text. */
export const packed = (text: string) => ({ content: packedText(text) });

const packedText = (text: string): Uint8Array => Bun.zstdCompressSync(text);

/** The input of the diff of two texts. */
export const comparison = (before: string, after: string) => ({
  ...comparedContents(before, after),
  isCoarse: false,
});

export const comparedContents = (before: string, after: string) => ({
  before: packedText(before),
  after: packedText(after),
  head: { artifactId: "art_test", from: 1, to: 2, files: { added: [], removed: [], changed: [] } },
  names: { oldName: "a", newName: "b" },
});

/** Work of an account. */
export const work = (owner = "wsp_test", priority: Work["priority"] = "request"): Work => ({
  owner,
  account: owner,
  priority,
});

/** Takes all places that each owner can have, and all of background work; later work of theirs waits until they are given back. */
export async function occupy(...owners: string[]): Promise<() => Promise<unknown>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: Promise<unknown>[] = [];
  const each = Array.from({ length: placesOfOne }, (_, place) => place);
  const works = [
    ...owners.flatMap((owner) => each.map(() => work(owner))),
    ...each.map((place) => work(`background_${place}`, "background")),
  ];
  for (const one of works)
    await new Promise<void>((taken) => {
      const hold = () => {
        taken();
        return promise;
      };
      held.push(holdPlace(one, hold));
    });
  return () => {
    resolve();
    return Promise.all(held);
  };
}

/** Fills the line of an owner whose places are all taken: everything else it asks for is refused as `busy`. */
export function fill(owner: string): Promise<unknown> {
  const waiting = Array.from({ length: 32 }, () => holdPlace(work(owner), () => Promise.resolve()));
  return Promise.allSettled(waiting);
}
