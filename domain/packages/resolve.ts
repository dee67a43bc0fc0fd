// From the references of a document to its lock: what each URL stands for, fetched and kept. One package after the other.
import type { Database } from "@plinth/db/connection";
import { valid } from "semver";

import { makeBundle, type AttemptLimits, type Bundle, type BundleLimits } from "./bundle/make-bundle.ts";
import { chosenPath, isFormerListing, listingOf, type Listing } from "./choose-file.ts";
import { mapUrl } from "./cdn/map-url.ts";
import type { BundleWanted, FileWanted, Wanted } from "./cdn/package-file.ts";
import { companionPackages } from "./companions.ts";
import { keepFiles, keptByIntegrity, keptFiles, keptVersion, type KeptPackage } from "./keep.ts";
import { packageLimits, type PackageLimits } from "./limits.ts";
import type { LockEntry, LockedFile, LockedPackage, Missing, PackageLock } from "./lock.ts";
import { besideChosen, type Chosen, closure, isFolder, isSmall, type RelativePathsOf } from "./needed-files.ts";
import { withUnpackLock } from "./unpack-lock.ts";
import { mayPass, PackageProblem, tooLate } from "./problem.ts";
import type { Reference } from "./reference.ts";
import { fetchTarball, resolveVersion, type Registry, type ResolvedVersion } from "./registry.ts";
import { unpack } from "./unpack.ts";

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
  const companions = new Map(looked.map((one) => [one, one.wants.flatMap(companionWants)]));
  for (const wants of byPackage([...companions.values()].flat().filter(isFile)))
    if (performance.now() < until) await settle(resolving, wants, budget);
  const bundled = await settleBundle(resolving, all.filter(isOfBundle), budget, { ...limits, until });
  const firstOfBundle = looked.find(({ wants }) => wants.some(isOfBundle));
  const entries = listed.map((one, index): LockEntry => {
    const { url, use, wants } = one;
    const problem = problemOf(wants, index >= packageLimits.references);
    if (problem !== null) return { url, use, files: [], missing: problem };
    const beside = companions.get(one) ?? [];
    const without = failuresOf([...wants, ...beside]);
    return {
      url,
      use,
      files: filesOf(wants),
      ...(one === firstOfBundle ? { bundled } : {}),
      ...(filesOf(beside).length > 0 && { companions: filesOf(beside) }),
      missing: null,
      ...(without.length > 0 && { without }),
    };
  });
  const mayChange = ({ missing, without = [] }: LockEntry): boolean =>
    [missing, ...without].some((one) => one !== null && mayPass(one.code));
  return { entries, isComplete: !entries.some(mayChange) };
}

const companionWants = ({ outcome }: Want): Want[] =>
  outcome === null || outcome instanceof PackageProblem
    ? []
    : companionPackages(outcome).map((wanted) => ({ wanted, outcome: null }));

const filesOf = (wants: readonly Want[]): LockedFile[] =>
  wants.flatMap(({ outcome }) => (outcome === null || outcome instanceof PackageProblem ? [] : [outcome]));

/** Each package once: a family of fonts has a want for each of its faces. */
function failuresOf(wants: readonly Want[]): Missing[] {
  const failed = new Map<string, Missing>();
  for (const { wanted, outcome } of wants)
    if (outcome instanceof PackageProblem && !failed.has(wanted.name))
      failed.set(wanted.name, missingOf(wanted, outcome));
  return [...failed.values()];
}

const missingOf = ({ name }: Wanted, { code, message }: PackageProblem): Missing => ({ code, detail: message, name });

const keyOf = ({ url, use }: Pick<Reference, "url" | "use">): string => `${use} ${url}`;

const distinct = (references: readonly Reference[]): Reference[] => [
  ...new Map(references.map((reference) => [keyOf(reference), reference])).values(),
];

function byPackage(wants: readonly Want<FileWanted>[]): Want<FileWanted>[][] {
  const groups = Map.groupBy(wants, ({ wanted: { name, range } }) => `${name}@${range}`);
  return [...groups.values()];
}

/** Why a URL has no files; null where it has, though parts of it may be missing. */
function problemOf(wants: readonly Want[], isOneTooMany: boolean): Missing | null {
  if (isOneTooMany) {
    const detail = `A document may load ${packageLimits.references} files of packages`;
    return { code: "too-many", detail };
  }
  const hasFiles = filesOf(wants).length > 0;
  for (const { wanted, outcome } of wants)
    if (outcome instanceof PackageProblem && !(wanted.isPart === true && hasFiles)) return missingOf(wanted, outcome);
  const open = wants.find(({ outcome, wanted }) => outcome === null && wanted.isOptional !== true);
  return open === undefined ? null : missingOf(open.wanted, tooLate());
}

/** Gives each of the wants of one package its outcome. */
async function settle(resolving: Resolving, wants: readonly Want<FileWanted>[], budget: Budget): Promise<void> {
  const [first] = wants;
  if (first === undefined) return;
  const { name, range } = first.wanted;
  const { db, registry } = resolving;
  try {
    // A registry never changes a version: one that is kept needs no asking.
    const isOff = registry === null;
    const kept = isOff || valid(range) !== null ? await keptVersion(db, name, range) : null;
    const isUsable = (one: KeptPackage | null) => one !== null && (isOff || !isFormerListing(one.listing));
    if (kept !== null && isUsable(kept) && (await settleWithKept(db, kept, wants, isOff))) return;
    if (registry === null) throw new PackageProblem("registry-off", `${name} is not kept here, and fetching is off`);
    const resolved = await resolveVersion(registry, name, range);
    const same = await keptByIntegrity(db, resolved);
    if (same !== null && isUsable(same) && (await settleWithKept(db, same, wants))) return;
    await settleWithKept(db, await fetchAndKeep(resolving, registry, resolved, wants, budget), wants, true);
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

/**
 * Whether every want has an outcome by what is kept of the package. A want whose companions are not all kept has one where
 * `isAll`: no more is to be had.
 */
async function settleWithKept(
  db: Database,
  kept: KeptPackage,
  wants: readonly Want<FileWanted>[],
  isAll = false,
): Promise<boolean> {
  const files = await keptFiles(db, kept.sha256);
  const { name, version, integrity, sha256 } = kept;
  let isSettled = true;
  for (const want of wants) {
    const path = choose(want, kept.listing);
    if (path === null) continue;
    const content = files.get(path) ?? null;
    const beside = besideChosen(kept, [{ path, isWhole: want.wanted.isWhole }], kept.listing);
    const isKept = (content !== null || isFolder(path)) && (isAll || beside.every((one) => files.has(one)));
    if (!isKept) isSettled = false;
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
    const chosen = wants.flatMap((want): Chosen[] => {
      const path = choose(want, listing);
      return path === null ? [] : [{ path, isWhole: isSmall(path, files) ? want.wanted.isWhole : undefined }];
    });
    const companions = chosen.length === 0 ? [] : besideChosen(resolved, chosen, listing);
    const needed = await closure({ wanted: chosen.map(({ path }) => path), companions }, files, relativePathsOf);
    budget.bytes -= [...needed.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    if (budget.bytes < 0) throw documentTooLarge();
    return keepFiles(db, resolved, tarball, listing, needed);
  });
}
