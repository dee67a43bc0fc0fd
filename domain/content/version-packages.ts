// The packages of an html or jsx version, as shown to its readers and its author: pinned, being fetched, or missing
// with the true reason and a remedy.
import type { UsedPackage } from "@plinth/contract/schemas/package";
import type { Database } from "@plinth/db/connection";

import type { Config } from "../config.ts";
import type { LoadedVersion } from "../access/resource.ts";
import { jsxReferences } from "../packages/find/jsx-references.ts";
import type { LockEntry, Missing, VersionKey } from "../packages/lock.ts";
import { mayPass } from "../packages/problem.ts";
import { missingName, packageOf, reasonFor } from "../packages/reasons.ts";
import type { Reference } from "../packages/reference.ts";
import type { Work } from "../threads/fair-queue.ts";
import { compiledJsx } from "./compiled-jsx.ts";
import { filesImportedBy } from "./importable-files.ts";
import { versionLock } from "./package-documents.ts";
import { rendered } from "./renderings.ts";
import { isLockRequested } from "./request-locks.ts";

interface Telling {
  readonly db: Database;
  readonly config: Pick<Config, "packageRegistry">;
}

/** The packages of a version, whose lock may not be there yet. @throws busy */
export async function packagesOfVersion(
  telling: Telling,
  { artifact, version, bytes }: LoadedVersion,
  work: Work,
): Promise<UsedPackage[]> {
  const { type } = artifact;
  if (type === "md") return [];
  const locked = await lockedPackages(telling, version);
  if (locked !== null || bytes === null || telling.config.packageRegistry === null) return locked ?? [];
  const beside = filesImportedBy(type, bytes, version.files);
  const { text } = await rendered(telling.db, { sha256: version.sha256, type, name: type, beside }, bytes, work);
  return fetchedPackages(
    type === "html" ? (JSON.parse(text) as Reference[]) : jsxReferences(compiledJsx(text).packages),
  );
}

/** Those that the version's lock has; null where it has no lock yet. */
export async function lockedPackages({ db }: Pick<Telling, "db">, version: VersionKey): Promise<UsedPackage[] | null> {
  const lock = await versionLock(db, version);
  if (lock === null) return null;
  const isFetching = !lock.isComplete && (await isLockRequested(db, version));
  const kept = new Map<string, UsedPackage & { readonly urls: string[] }>();
  const missing: UsedPackage[] = [];
  for (const entry of lock.entries) {
    for (const one of [...(entry.missing === null ? [] : [entry.missing]), ...(entry.without ?? [])])
      missing.push(missingPackage(entry, one, isFetching && mayPass(one.code)));
    for (const { name, version: pinned, isDirect } of pinnedBy(entry)) {
      const used = kept.get(`${name}@${pinned}`) ?? { ...nothing, name, version: pinned, urls: [], state: "kept" };
      if (isDirect && !used.urls.includes(entry.url)) used.urls.push(entry.url);
      kept.set(`${name}@${pinned}`, used);
    }
  }
  // What the document names itself first.
  const inOrder = [...kept.values()].toSorted(
    (one, other) => Number(other.urls.length > 0) - Number(one.urls.length > 0),
  );
  return [...missing, ...inOrder];
}

const nothing = { reason: null, remedy: null } as const;

const pinnedBy = ({ files, bundled = [], companions = [] }: LockEntry) => [
  ...files.map(({ name, version }) => ({ name, version, isDirect: true })),
  ...[...companions, ...bundled].map(({ name, version }) => ({ name, version, isDirect: false })),
];

function missingPackage(entry: LockEntry, missing: Missing, isFetching: boolean): UsedPackage {
  const explanation = isFetching ? nothing : reasonFor(entry, missing);
  const name = missingName(entry, missing);
  return { name, version: null, urls: [entry.url], state: isFetching ? "fetching" : "missing", ...explanation };
}

function fetchedPackages(references: readonly Reference[]): UsedPackage[] {
  const byName = new Map<string, UsedPackage & { readonly urls: string[] }>();
  for (const reference of references) {
    const name = packageOf(reference)?.name;
    if (name === undefined) continue;
    const used = byName.get(name) ?? { ...nothing, name, version: null, urls: [], state: "fetching" };
    if (!used.urls.includes(reference.url)) used.urls.push(reference.url);
    byName.set(name, used);
  }
  return [...byName.values()];
}

/** A package in a few words, for a model and a menu. */
export function packageInWords({ name, version, urls, state, reason }: UsedPackage): string {
  if (state === "kept") return `${name} ${version}`;
  const called = name ?? urls[0] ?? "";
  return state === "fetching" ? `${called} (being fetched)` : `${called} (missing: ${reason})`;
}
