// The address that drafts are posted to: asked for once, and again shortly before its minute is over. It asks by itself, as
// the paste box then loads none of the sentences about problems, which no page would show.

/** So long before it ends it is used no more, in ms. */
const marginMs = 10_000;

/** `path` is where the API gives one out; null comes back where it gives none. */
export function draftAddress(path: string): (again: boolean) => Promise<string | null> {
  let held: { url: string; until: number } | undefined;
  return async (again) => {
    // By this machine's own clock alone: the server's may say something else.
    if (!again && held !== undefined && performance.now() < held.until) return held.url;
    const askedAt = performance.now();
    const url = await ask(path);
    if (url !== null) held = { url, until: askedAt + lifetimeMs - marginMs };
    return url;
  };
}

const lifetimeMs = 60_000;

/** A network that is away gives out nothing either. */
const ask = (path: string): Promise<string | null> =>
  fetch(path, { cache: "no-store" }).then(
    async (answer) => (answer.ok ? ((await answer.json()) as { url: string }).url : null),
    () => null,
  );
