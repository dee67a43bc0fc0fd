// Many things done, a few of them at once.

/** What `work` makes of each, in the order of the items. The first error ends it; what is under way is not waited for. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // One iterator for all: each takes the next free one.
  const waiting = items.entries();
  async function takeTurns() {
    for (const [at, item] of waiting) results[at] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  return results;
}
