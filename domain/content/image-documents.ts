// The kept images of a version: its image lock, and what is shown for each URL. A version without a lock waits for the
// job that writes it, for a while.
import type { Database } from "@plinth/db/connection";
import { createCache } from "@plinth/platform/caches";

import { findImageLock, type ImageLock } from "../images/lock.ts";
import { beyondLimit, imageAddress } from "../images/rewrite.ts";
import { remoteImages, type ShownImage } from "../render/document/remote-images.ts";
import { versionKey, type LockedVersion } from "./package-documents.ts";
import { requestImages } from "./request-locks.ts";

export interface VersionImages extends ImageLock {
  /** Changes with everything that the lock says. */
  readonly digest: string;
}

/** Which images of other sites are shown: those that are kept, whether missing ones are being fetched, or none. */
export type ImageManner = "fetched" | "kept" | "none";

/** Complete locks, which never change; by the characters that they have as text. */
const recent = createCache<VersionImages>("imageLocks");

interface Asked {
  /** By the clock of the process, in ms. */
  readonly first: number;
  readonly last: number;
}

/** Versions whose lock a reader asked for. */
const asked = createCache<Asked>("imageLocksAsked");
/** Between requests for the same lock. */
const askEveryMs = 60_000;
/** How long readers wait for images, since the first of them asked: then the document is shown as it is. */
const waitForMs = 30_000;

const nameOf = (version: LockedVersion): string => `${version.artifactId} ${version.versionNumber}`;

/** The lock where it is in memory. */
export const knownImages = (version: LockedVersion): VersionImages | undefined => recent.get(nameOf(version));

/** A lock as it was found; null where there is none. */
export function rememberImages(version: LockedVersion, found: ImageLock | null): VersionImages | null {
  if (found === null) return null;
  const text = JSON.stringify(found);
  const digest = new Bun.CryptoHasher("sha256").update(text).digest("base64url");
  const images = { ...found, digest };
  if (images.isComplete) recent.set(nameOf(version), images, { size: text.length });
  return images;
}

/** The lock of a version; null where there is none yet. */
export async function versionImages(db: Database, version: LockedVersion): Promise<VersionImages | null> {
  const key = versionKey(version);
  if (key === null) return null;
  return knownImages(version) ?? rememberImages(version, await findImageLock(db, key));
}

/** Asks for the lock of a version unless that was done lately. Returns whether a reader is to wait for it. */
export async function askForImages(db: Database, version: LockedVersion): Promise<boolean> {
  const key = versionKey(version);
  if (key === null) return false;
  const now = Date.now();
  const before = asked.get(nameOf(version));
  const first = before?.first ?? now;
  if (before === undefined || now - before.last >= askEveryMs) {
    asked.set(nameOf(version), { first, last: now });
    await requestImages(db, [key]);
  }
  return now - first < waitForMs;
}

/** The title of an image without a lock. */
export const imageStatus = {
  waiting: "The image is being fetched",
  off: "This instance fetches no images of other sites",
  draft: "Images of other sites are fetched after publishing",
} as const;

type ImageStatus = (typeof imageStatus)[keyof typeof imageStatus];

/** The kept images of a markdown document by their URLs, and why others are missing. */
export function shownImages(lock: ImageLock | null, status: ImageStatus): (url: string) => ShownImage {
  const entries = new Map(lock?.entries.map((entry) => [entry.url, entry]));
  return (url) => {
    const entry = entries.get(url);
    if (entry?.image) return { address: imageAddress(entry.image.key), size: entry.image.size };
    return { missing: entry?.missing?.detail ?? (lock === null ? status : beyondLimit) };
  };
}

interface MarkdownImages {
  readonly imageOf: (url: string) => ShownImage;
  /** Missing where the document has no images of other sites, null where they have no lock. */
  readonly images: VersionImages | null | undefined;
  readonly isWaiting: boolean;
  readonly isFinal: boolean;
}

/** The images of a rendered markdown version. */
export async function markdownImages(
  db: Database,
  version: LockedVersion,
  html: string,
  { images: manner, ownOrigins }: { readonly images: ImageManner; readonly ownOrigins: ReadonlySet<string> },
): Promise<MarkdownImages> {
  if (manner === "none" || remoteImages(html, ownOrigins).length === 0)
    return { imageOf: shownImages(null, imageStatus.off), images: undefined, isWaiting: false, isFinal: true };
  const images = await versionImages(db, version);
  const isMissing = images === null && manner === "fetched";
  const isWaiting = isMissing && (await askForImages(db, version));
  const imageOf = shownImages(images, isMissing ? imageStatus.waiting : imageStatus.off);
  return { imageOf, images, isWaiting, isFinal: !isMissing && images?.isComplete !== false };
}
