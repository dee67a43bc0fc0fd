// Resolves each image URL of a document to a kept image, or to the reason why there is none. Few requests run at once,
// fewer to one host, and none after the document's time.
import { createUsageCounter } from "@plinth/platform/usage-counter";
import type { Database } from "@plinth/db/connection";

import { type FetchedImage, fetchImage, type FetchUrl, imageLimits } from "./fetch-image.ts";
import type { ImageEntry, LockedImage } from "./lock.ts";
import { ImageProblem, mayPass, tooLate } from "./problem.ts";
import { packBytes } from "../storage/pack.ts";
import { imageKey } from "./rewrite.ts";

/**
 * Locks content that is there without writing it, as a publish does, so that no collection removes it. An image that is
 * kept already counts as fetched now, so that no purge removes it before a lock names it.
 */
const keepStatement = `
WITH stored AS (
  INSERT INTO content (sha256, data, size_bytes) VALUES (decode($1, 'hex'), $2::bytea, $3)
  ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false
)
INSERT INTO remote_image (key, content, media_type, width, height)
VALUES (decode($4, 'hex'), decode($1, 'hex'), $5, $6, $7)
ON CONFLICT (key) DO UPDATE SET fetched_at = now()`;

/** Of whom the image is kept. */
interface ImageKeeper {
  readonly db: Database;
  readonly secret: string;
  readonly artifactId: string;
}

export async function keepImage(
  { db, secret, artifactId }: ImageKeeper,
  { bytes, mediaType, size }: FetchedImage,
): Promise<LockedImage> {
  const { sha256, data, sizeBytes } = await packBytes(bytes);
  const key = imageKey(secret, artifactId, sha256);
  const [width, height] = [size?.width ?? null, size?.height ?? null];
  await db.run(keepStatement, [sha256, data, sizeBytes, key, mediaType, width, height]);
  return { key, size };
}

interface ImageResolving extends ImageKeeper {
  /** The guarded fetcher unless told. */
  readonly fetchUrl?: FetchUrl | undefined;
  /** Hosts of the instance itself, whose images are documents' own. */
  readonly ownHosts: readonly string[];
  /** Entries that hold without another request: kept images, and what no attempt changes. */
  readonly known: ReadonlyMap<string, ImageEntry>;
}

/** An entry for each of the first URLs, in their order. */
export async function resolveImages(
  resolving: ImageResolving,
  urls: readonly string[],
  documentMs: number = imageLimits.documentMs,
): Promise<ImageEntry[]> {
  const wanted = urls.slice(0, imageLimits.images);
  const waiting = wanted.filter((url) => !resolving.known.has(url));
  const found = new Map<string, ImageEntry>();
  const ofHosts = createUsageCounter();
  const silences = createUsageCounter();
  const until = performance.now() + documentMs;
  let room: number = imageLimits.documentBytes;

  async function entryOf(url: string): Promise<ImageEntry> {
    const { host } = new URL(url);
    try {
      if (performance.now() > until) throw tooLate();
      if (resolving.ownHosts.includes(host)) throw new ImageProblem("own-image", `${host} is this instance`);
      if (silences.taken(host) >= imageLimits.silencesOfHost)
        throw new ImageProblem("no-answer", `${host} did not answer`);
      if (room < 0) throw tooLargeTogether();
      const fetched = await fetchImage(url, resolving.fetchUrl);
      room -= fetched.bytes.length;
      if (room < 0) throw tooLargeTogether();
      return { url, image: await keepImage(resolving, fetched), missing: null };
    } catch (error) {
      if (!(error instanceof ImageProblem)) throw error;
      if (error.code === "no-answer") silences.take(host);
      return { url, image: null, missing: { code: error.code, detail: error.message } };
    }
  }

  /** Ends where every host of what waits has its share: those that are under way take the rest. */
  async function work(): Promise<void> {
    for (;;) {
      const at = waiting.findIndex((url) => ofHosts.taken(new URL(url).host) < imageLimits.atOnceOfHost);
      const [url] = at === -1 ? [] : waiting.splice(at, 1);
      if (url === undefined) return;
      const { host } = new URL(url);
      ofHosts.take(host);
      found.set(url, await entryOf(url).finally(() => ofHosts.leave(host)));
    }
  }

  await Promise.all(Array.from({ length: imageLimits.atOnce }, work));
  return wanted.flatMap((url) => resolving.known.get(url) ?? found.get(url) ?? []);
}

const tooLargeTogether = (): ImageProblem =>
  new ImageProblem("too-large", "The document's images are too large together");

/** Whether no later attempt can get more. */
export const isSettled = (entries: readonly ImageEntry[]): boolean =>
  entries.every(({ missing }) => missing === null || !mayPass(missing.code));
