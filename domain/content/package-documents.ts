// An html or jsx version with the packages that it loads: its lock, and what the document needs to name kept files. A
// version without a lock waits for the job that writes it.
import type { Database } from "@plinth/db/connection";
import { createCache } from "@plinth/platform/caches";

import type { VersionRow } from "../access/resource.ts";
import { packageAddress } from "../packages/address.ts";
import { mapUrl } from "../packages/cdn/map-url.ts";
import { npmUrl } from "../packages/find/jsx-references.ts";
import { findLock, type PackageLock, type VersionKey } from "../packages/lock.ts";
import type { Reference } from "../packages/reference.ts";
import type { LoadedPackages } from "../render/document/content.ts";
import { requestLocks } from "./request-locks.ts";

export interface VersionLock extends PackageLock {
  /** Changes with everything that the lock says. */
  readonly digest: string;
}

/** A version as far as its lock is concerned; what is no version of an artifact has none. */
export type LockedVersion = Pick<VersionRow, "sha256"> & Partial<Pick<VersionRow, "artifactId" | "versionNumber">>;

/**
 * Complete locks, which change only where something is missing and is asked for again (domain/versions/packages.ts). By
 * the characters that they have as text: a document decides how large its lock is.
 */
const recent = createCache<VersionLock>("packageLocks");
/** A process shows what another one changed after so long. */
const changesSeenMs = 30_000;
/** Versions whose lock was asked for, in the last minute. */
const asked = createCache<true>("packageLocksAsked");

export const versionKey = ({ artifactId, versionNumber }: Partial<VersionKey>): VersionKey | null =>
  artifactId === undefined || versionNumber === undefined ? null : { artifactId, versionNumber };

const keyOf = ({ artifactId, versionNumber }: VersionKey): string => `${artifactId} ${versionNumber}`;

/** Versions of jsx that import no package: nothing is looked up for them again. */
const withoutPackages = createCache<true>("withoutPackages");

export function rememberWithoutPackages(version: LockedVersion): void {
  const key = versionKey(version);
  if (key !== null) withoutPackages.set(keyOf(key), true);
}

/** The lock of an html or jsx version; null where there is none yet. */
export async function versionLock(db: Database, version: Partial<VersionKey>): Promise<VersionLock | null> {
  const key = versionKey(version);
  if (key === null || withoutPackages.has(keyOf(key))) return null;
  return knownLock(version) ?? rememberLock(version, await findLock(db, key));
}

/** The lock where it is in memory. */
export function knownLock(version: Partial<VersionKey>): VersionLock | undefined {
  const key = versionKey(version);
  return key === null ? undefined : recent.get(keyOf(key));
}

/** A lock as it was found; null where there is none. */
export function rememberLock(version: Partial<VersionKey>, found: PackageLock | null): VersionLock | null {
  const key = versionKey(version);
  if (found === null || key === null) return null;
  const text = JSON.stringify(found);
  const digest = new Bun.CryptoHasher("sha256").update(text).digest("base64url");
  const lock = { ...found, digest };
  const mayChange = lock.entries.some(({ missing }) => missing !== null);
  const size = text.length;
  if (lock.isComplete) recent.set(keyOf(key), lock, { size, ...(mayChange ? { ttl: changesSeenMs } : {}) });
  return lock;
}

/** Has this process read the lock again; the others do so within `changesSeenMs`. */
export const forgetLock = (key: VersionKey): void => void recent.delete(keyOf(key));

export const loadsPackages = (lock: PackageLock | null): boolean =>
  lock !== null && lock.entries.some(({ files }) => files.length > 0);

/** Asks for the lock of a version, of which no job is under way: one that was published before there were locks. */
export async function askForLock(db: Database, version: LockedVersion): Promise<void> {
  const key = versionKey(version);
  if (key === null || asked.has(keyOf(key))) return;
  asked.set(keyOf(key), true);
  await requestLocks(db, [key]);
}

/** What a lock gives a jsx document: the address of each module by its import, and of each style. */
export function loadedPackages({ entries }: PackageLock): LoadedPackages {
  const addresses = entries.flatMap(({ url, use, files }) =>
    files.map((file) => ({ specifier: url.slice(npmUrl("").length), use, address: packageAddress(file) })),
  );
  const modules = addresses.filter(({ use }) => use === "module");
  const styles = addresses.filter(({ use }) => use === "style");
  return {
    imports: Object.fromEntries(modules.map(({ specifier, address }) => [specifier, address])),
    styles: styles.map(({ address }) => address),
  };
}

/** How many packages a document without a lock waits for. */
export const missingPackages = (references: readonly Reference[]): number =>
  new Set(references.flatMap(({ url, use }) => (mapUrl(url, use) ?? []).map(({ name }) => name))).size;
