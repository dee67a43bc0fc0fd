// From the references of a document to its lock: what each URL stands for, fetched and kept. One package after the other.
import type { Database } from "@plinth/db/connection";
import { valid } from "semver";

import { makeBundle, type AttemptLimits, type Bundle, type BundleLimits } from "./bundle/make-bundle.ts";
import { chosenPath, companionsOf, listingOf, type Listing } from "./choose-file.ts";
import { mapUrl } from "./cdn/map-url.ts";
import type { BundleWanted, FileWanted, Wanted } from "./cdn/package-file.ts";
import { keepFiles, keptByIntegrity, keptFiles, keptVersion, type KeptPackage } from "./keep.ts";
import { packageLimits, type PackageLimits } from "./limits.ts";
import type { LockEntry, LockedFile, LockedPackage, PackageLock } from "./lock.ts";
import { withUnpackLock } from "./unpack-lock.ts";
import { mayPass, PackageProblem, tooLate } from "./problem.ts";
import type { Reference } from "./reference.ts";
import { fetchTarball, resolveVersion, type Registry, type ResolvedVersion } from "./registry.ts";
import { type PackageFiles, unpack } from "./unpack.ts";
import type { PackageText } from "./find/relative-urls.ts";
import { isScriptPath, isStylePath } from "./media-types.ts";

// The files of a package that belong together: those that are wanted, and all that these name relative to themselves.

/** Asks a child process for what each of the texts names relative to itself. */
export type RelativePathsOf = (texts: readonly PackageText[]) => Promise<readonly (readonly string[])[]>;

const decoder = new TextDecoder();

/**
 * The wanted files with what they name, and the companions, which are kept unread: they are hundreds of files.
 * @throws PackageProblem where they are larger than a document may have
 */
async function closure(
  { wanted, companions }: { readonly wanted: readonly string[]; readonly companions: readonly string[] },
  files: PackageFiles,
  relativePathsOf: RelativePathsOf,
): Promise<PackageFiles> {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  const unread = new Set(companions);
  for (let level = [...new Set([...wanted, ...companions])]; level.length > 0;) {
    const texts: PackageText[] = [];
    for (const path of level) {
      const bytes = files.get(path);
      if (bytes === undefined || kept.has(path)) continue;
      kept.set(path, bytes);
      size += bytes.length;
      if (size > packageLimits.documentBytes)
        throw new PackageProblem("too-large", "The package's files are too large");
      if (unread.has(path)) continue;
      if (isScriptPath(path) || isStylePath(path)) texts.push({ path, text: decoder.decode(bytes) });
    }
    level = texts.length === 0 ? [] : [...new Set((await relativePathsOf(texts)).flat())];
  }
  return kept;
}

interface Resolving {
  readonly db: Database;
  /** Null where the operator has turned fetching off; kept packages are used then. */
  readonly registry: Registry | null;
  readonly relativePathsOf: RelativePathsOf;
  readonly bundle: Bundle;
  /** Whether the document has the runtime's modules (jsx). */
  readonly besideRuntime: boolean;
}

/** What may still be kept for the document. */
interface Budget {
  bytes: number;
}

/** A file that a document wants, and how it ended. */
interface Want<Of extends Wanted = Wanted> {
  readonly wanted: Of;
  outcome: LockedFile | PackageProblem | null;
}

const isOfBundle = (want: Want): want is Want<BundleWanted> => want.wanted.find.by === "bundle";
const isFile = (want: Want): want is Want<FileWanted> => !isOfBundle(want);

/** Those that are too many are told of, up to as many again: a lock is read for each reader. */
const entriesMax = 2 * packageLimits.references;

/** References to no package are in no lock. What could not be had is in it with its reason. */
export async function resolvePackages(
  resolving: Resolving,
  references: readonly Reference[],
  limits: Pick<PackageLimits, "documentBytes" | "documentMs"> & BundleLimits = packageLimits,
): Promise<PackageLock> {
  const mapped = distinct(references).flatMap(({ url, use }) => {
    const files = mapUrl(url, use);
    return files === null ? [] : [{ url, use, wants: files.map((wanted): Want => ({ wanted, outcome: null })) }];
  });
  const listed = mapped.slice(0, entriesMax);
  const until = performance.now() + limits.documentMs;
  const looked = mapped.slice(0, packageLimits.references);
  const budget: Budget = { bytes: limits.documentBytes };
  const all = looked.flatMap((one) => one.wants);
  for (const wants of byPackage(all.filter(isFile)))
    if (performance.now() < until) await settle(resolving, wants, budget);
  const bundled = await settleBundle(resolving, all.filter(isOfBundle), budget, { ...limits, until });
  const firstOfBundle = looked.find(({ wants }) => wants.some(isOfBundle));
  const entries = listed.map((one, index): LockEntry => {
    const { url, use, wants } = one;
    const problem = problemOf(wants, index >= packageLimits.references);
    if (problem !== null) return { url, use, files: [], missing: { code: problem.code, detail: problem.message } };
    const files = wants.map(({ outcome }) => outcome).filter((outcome) => outcome !== null) as LockedFile[];
    return { url, use, files, ...(one === firstOfBundle ? { bundled } : {}), missing: null };
  });
  return { entries, isComplete: !entries.some(({ missing }) => missing !== null && mayPass(missing.code)) };
}

const keyOf = ({ url, use }: Pick<Reference, "url" | "use">): string => `${use} ${url}`;

const distinct = (references: readonly Reference[]): Reference[] => [
  ...new Map(references.map((reference) => [keyOf(reference), reference])).values(),
];

function byPackage(wants: readonly Want<FileWanted>[]): Want<FileWanted>[][] {
  const groups = Map.groupBy(wants, ({ wanted: { name, range } }) => `${name}@${range}`);
  return [...groups.values()];
}

function problemOf(wants: readonly Want[], isOneTooMany: boolean): PackageProblem | null {
  if (isOneTooMany)
    return new PackageProblem("too-many", `A document may load ${packageLimits.references} files of packages`);
  const failed = wants.find(({ outcome }) => outcome instanceof PackageProblem)?.outcome as PackageProblem | undefined;
  const isOpen = wants.some(({ outcome, wanted }) => outcome === null && wanted.isOptional !== true);
  return failed ?? (isOpen ? tooLate() : null);
}

/** Gives each of the wants of one package its outcome. */
async function settle(resolving: Resolving, wants: readonly Want<FileWanted>[], budget: Budget): Promise<void> {
  const [first] = wants;
  if (first === undefined) return;
  const { name, range } = first.wanted;
  const { db, registry } = resolving;
  try {
    // A registry never changes a version: one that is kept needs no asking.
    const kept = registry === null || valid(range) !== null ? await keptVersion(db, name, range) : null;
    if (kept !== null && (await settleWithKept(db, kept, wants))) return;
    if (registry === null) throw new PackageProblem("registry-off", `${name} is not kept here, and fetching is off`);
    const resolved = await resolveVersion(registry, name, range);
    const same = await keptByIntegrity(db, resolved);
    if (same !== null && (await settleWithKept(db, same, wants))) return;
    await settleWithKept(db, await fetchAndKeep(resolving, registry, resolved, wants, budget), wants);
  } catch (error) {
    if (!(error instanceof PackageProblem)) throw error;
    for (const want of wants) want.outcome ??= error;
  }
}

/** Gives each wanted module its outcome, and returns the packages that they are made of. */
async function settleBundle(
  resolving: Resolving,
  wants: readonly Want<BundleWanted>[],
  budget: Budget,
  limits: AttemptLimits,
): Promise<readonly LockedPackage[]> {
  if (wants.length === 0) return [];
  try {
    const wanted = wants.map((want) => want.wanted);
    const { files, packages, sizeBytes } = await makeBundle(resolving, wanted, limits);
    budget.bytes -= sizeBytes;
    if (budget.bytes < 0) throw documentTooLarge();
    for (const [at, want] of wants.entries()) want.outcome = files[at] ?? null;
    return packages;
  } catch (error) {
    if (!(error instanceof PackageProblem)) throw error;
    for (const want of wants) want.outcome = error;
    return [];
  }
}

const documentTooLarge = (): PackageProblem =>
  new PackageProblem("too-large", "The packages of the document are too large together");

/** Whether every want has an outcome by what is kept of the package. */
async function settleWithKept(db: Database, kept: KeptPackage, wants: readonly Want<FileWanted>[]): Promise<boolean> {
  const files = await keptFiles(db, kept.sha256);
  const { name, version, integrity, sha256 } = kept;
  let isSettled = true;
  for (const want of wants) {
    const path = choose(want, kept.listing);
    if (path === null) continue;
    const content = files.get(path) ?? null;
    if (content === null && !path.endsWith("/")) isSettled = false;
    else want.outcome = { name, version, integrity, package: sha256, path, sha256: content };
  }
  return isSettled;
}

/** The path of a want; null where its outcome is a problem, or it is optional and not there. */
function choose(want: Want<FileWanted>, listing: Listing): string | null {
  try {
    return chosenPath(want.wanted, listing);
  } catch (error) {
    if (!(error instanceof PackageProblem)) throw error;
    want.outcome = error;
    return null;
  }
}

async function fetchAndKeep(
  { db, relativePathsOf }: Resolving,
  registry: Registry,
  resolved: ResolvedVersion,
  wants: readonly Want<FileWanted>[],
  budget: Budget,
): Promise<KeptPackage> {
  const tarball = await fetchTarball(registry, resolved);
  return withUnpackLock(async () => {
    const files = await unpack(tarball);
    const listing = listingOf(files);
    const chosen = wants.flatMap((want) => choose(want, listing) ?? []);
    const companions = chosen.length === 0 ? [] : companionsOf(resolved.name, resolved.version, listing);
    const needed = await closure({ wanted: chosen, companions }, files, relativePathsOf);
    budget.bytes -= [...needed.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    if (budget.bytes < 0) throw documentTooLarge();
    return keepFiles(db, resolved, tarball, listing, needed);
  });
}
