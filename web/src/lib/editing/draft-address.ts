// The address that drafts are posted to: asked for once, and again shortly before its minute is over.
import { askApi } from "#lib/ask-api.ts";

/** So long before it ends it is used no more, in ms. */
const marginMs = 10_000;

/** `path` is where the API gives one out; null comes back where it gives none. */
export function draftAddress(path: string): (again: boolean) => Promise<string | null> {
  let held: { url: string; until: number } | undefined;
  return async (again) => {
    // By this machine's own clock alone: the server's may say something else.
    if (!again && held !== undefined && performance.now() < held.until) return held.url;
    const askedAt = performance.now();
    const answer = await askApi<{ url: string; expiresAt: string }>(path);
    if (!answer.ok) return null;
    held = { url: answer.body.url, until: askedAt + lifetimeMs - marginMs };
    return held.url;
  };
}

const lifetimeMs = 60_000;
