// From the modules that a document imports with all that they import (`esm.sh`, `+esm`) to one kept package of bundles:
// made together, so that what they share, such as React, is there once.
import type { Database } from "@plinth/db/connection";
import { satisfies, valid, validRange } from "semver";

import { isOfNode } from "../../render/jsx/package-imports.ts";
import { packBytes, packText } from "../../storage/pack.ts";
import { isPackageName, isRange, type BundleWanted } from "../cdn/package-file.ts";
import { keepBundle, keptBundle, type KeptBundle } from "../keep.ts";
import type { PackageLimits } from "../limits.ts";
import type { LockedFile, LockedPackage } from "../lock.ts";
import { manifestOf, type Manifest } from "../manifest.ts";
import { isScriptPath } from "../media-types.ts";
import { withUnpackLock } from "../unpack-lock.ts";
import { PackageProblem, tooLate } from "../problem.ts";
import { fetchTarball, resolveVersion, type Registry, type ResolvedVersion } from "../registry.ts";
import { unpack, type PackageFiles } from "../unpack.ts";
import type { BundledPackage, BundleEntry, BundleInput, BundleOutcome, PackedFile } from "./bundled-package.ts";

/** Bundles in a child process. @throws PackageProblem where the code takes too much */
export type Bundle = (input: BundleInput) => Promise<BundleOutcome>;

interface Bundling {
  readonly db: Database;
  /** Null where the operator has turned fetching off; a kept bundle of the same imports is used then. */
  readonly registry: Registry | null;
  readonly bundle: Bundle;
  /** Whether the document has the runtime's modules (jsx). */
  readonly besideRuntime: boolean;
}

export type BundleLimits = Pick<PackageLimits, "bundledPackages" | "bundledBytes">;
/** `until`: by `performance.now()`, when no further package is asked for. */
export type AttemptLimits = BundleLimits & { readonly until: number };

interface MadeBundle {
  /** The file of each of the wanted, in their order; a problem for one that its package does not export. */
  readonly files: readonly (LockedFile | PackageProblem)[];
  /** Everything that the bundle is made of. */
  readonly packages: readonly LockedPackage[];
  /** Of the modules, uncompressed; 0 where they were kept before. */
  readonly sizeBytes: number;
}

interface FetchedPackage {
  readonly resolved: ResolvedVersion;
  readonly manifest: Manifest;
  readonly files: readonly PackedFile[];
  /** Grows with each import that is found. */
  readonly dependencies: Record<string, string | null>;
}

const idOf = ({ name, version }: Pick<ResolvedVersion, "name" | "version">): string => `${name}@${version}`;

/** As the document names it, so that a prefix of an import map is a folder of the bundle. */
function bundlePath({ name, range, find: { path } }: BundleWanted): string {
  const module = path === "" ? "index.js" : path.replace(/^\//, "");
  return `${name}@${range === "" ? "latest" : range}/${module}`;
}

/** @throws PackageProblem */
export async function makeBundle(
  bundling: Bundling,
  wanted: readonly BundleWanted[],
  limits: AttemptLimits,
): Promise<MadeBundle> {
  const { db, registry, besideRuntime } = bundling;
  const request = bundleRequest(wanted, besideRuntime);
  if (registry === null) {
    const kept = await keptBundle(db, request);
    if (kept === null) throw new PackageProblem("registry-off", "The modules are not kept here, and fetching is off");
    return { files: wanted.map((one) => lockedFile(kept, one)), packages: kept.packages, sizeBytes: 0 };
  }
  const set = createPackageSet(registry, limits);
  const problems = new Map<string, PackageProblem>();
  const entries: (BundleEntry & { readonly resolved: ResolvedVersion })[] = [];
  for (const one of wanted) {
    const file = bundlePath(one);
    // A folder is there by its modules.
    if (file.endsWith("/")) continue;
    try {
      const { resolved } = await set.add(one.name, one.range);
      entries.push({ file, packageId: idOf(resolved), subpath: one.find.path, resolved });
    } catch (error) {
      if (!(error instanceof PackageProblem)) throw error;
      problems.set(file, error);
    }
  }
  for (;;) {
    // Each round may name one import more, of packages that are there already.
    if (performance.now() >= limits.until) throw tooLate();
    const open = entries.filter(({ file }) => !problems.has(file));
    const outcome =
      open.length === 0
        ? ({ kind: "files", files: [] } as const)
        : await bundling.bundle({
            besideRuntime,
            packages: set.all().map(bundledPackage),
            entries: open.map(({ file, packageId, subpath }) => ({ file, packageId, subpath })),
          });
    if (outcome.kind === "missing") {
      for (const { packageId, name } of outcome.missing) await set.addDependency(packageId, name);
      continue;
    }
    if (outcome.kind === "problem") {
      const problem = new PackageProblem("unsupported", outcome.detail);
      // One that its package does not export takes none of the others with it.
      if (outcome.file === null || problems.has(outcome.file)) throw problem;
      problems.set(outcome.file, problem);
      continue;
    }
    const packages = set.all().map(({ resolved: { name, version, integrity } }) => ({ name, version, integrity }));
    const versions = Object.fromEntries(entries.map(({ file, resolved }) => [file, resolved.version]));
    const packed = await Promise.all(
      outcome.files.map(async ({ path, text }) => ({ path, ...(await packBytes(new TextEncoder().encode(text))) })),
    );
    const kept = await keepBundle(db, request, { packages, versions }, packed);
    const sizeBytes = packed.reduce((sum, file) => sum + file.sizeBytes, 0);
    return { files: wanted.map((one) => problems.get(bundlePath(one)) ?? lockedFile(kept, one)), packages, sizeBytes };
  }
}

/** The same for the same imports, in any order. */
export function bundleRequest(wanted: readonly BundleWanted[], besideRuntime: boolean): string {
  const modules = [...new Set(wanted.map(bundlePath))].toSorted();
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify(besideRuntime ? ["jsx", ...modules] : modules))
    .digest("hex");
}

function lockedFile(
  { sha256, files, packages, versions }: KeptBundle,
  wanted: BundleWanted,
): LockedFile | PackageProblem {
  const path = bundlePath(wanted);
  const content = files.get(path) ?? null;
  if (content === null && !path.endsWith("/"))
    return new PackageProblem("unsupported", `${wanted.name} does not export ${wanted.find.path}`);
  const version = versions[path] ?? packages.find(({ name }) => name === wanted.name)?.version ?? "";
  const integrity = packages.find((one) => one.name === wanted.name && one.version === version)?.integrity ?? "";
  return { name: wanted.name, version, integrity, package: sha256, path, sha256: content };
}

const bundledPackage = ({ resolved, files, dependencies }: FetchedPackage): BundledPackage => ({
  id: idOf(resolved),
  name: resolved.name,
  files,
  dependencies,
});

/** The packages of one bundle: of each name as few versions as its ranges allow. */
function createPackageSet(registry: Registry, { bundledPackages, bundledBytes, until }: AttemptLimits) {
  const byId = new Map<string, FetchedPackage>();
  let bytes = 0;

  async function add(name: string, range: string): Promise<FetchedPackage> {
    const known = [...byId.values()].find(({ resolved }) => resolved.name === name && isMeant(resolved.version, range));
    if (known !== undefined) return known;
    if (byId.size >= bundledPackages)
      throw new PackageProblem("too-many", `A document's modules may import ${bundledPackages} packages`);
    if (performance.now() >= until) throw tooLate();
    const resolved = await resolveVersion(registry, name, range);
    const same = byId.get(idOf(resolved));
    if (same !== undefined) return same;
    const tarball = await fetchTarball(registry, resolved);
    const { packed, manifest } = await withUnpackLock(async () => {
      const files = await unpack(tarball);
      const text = new TextDecoder().decode(files.get("package.json"));
      return { packed: await packedSources(files), manifest: manifestOf(text) };
    });
    bytes += packed.reduce((sum, { content }) => sum + content.length, 0);
    if (bytes > bundledBytes)
      throw new PackageProblem("too-large", "The packages that the document's modules import are too large together");
    const fetched = { resolved, manifest, files: packed, dependencies: {} };
    byId.set(idOf(resolved), fetched);
    return fetched;
  }

  /** A dependency that a package does not state is there for its users because another package states it, mostly. */
  async function addForgotten(name: string): Promise<FetchedPackage | null> {
    if (isOfNode(name)) return null;
    try {
      return await add(name, "");
    } catch (error) {
      if (error instanceof PackageProblem && error.code === "package-not-found") return null;
      throw error;
    }
  }

  return {
    all: () => [...byId.values()],
    add,
    async addDependency(packageId: string, name: string): Promise<void> {
      const from = byId.get(packageId);
      if (from === undefined) throw new Error(`the bundle has no package ${packageId}`);
      const stated = statedDependency(from.manifest, name);
      const found = stated === undefined ? await addForgotten(name) : stated && (await add(stated.name, stated.range));
      from.dependencies[name] = found === null ? null : idOf(found.resolved);
    },
  };
}

const isMeant = (version: string, range: string): boolean =>
  valid(range) === null
    ? range === "" || (validRange(range) !== null && satisfies(version, range))
    : version === valid(range);

/** The package and range that a manifest states for a name; null for one that no registry package stands for. */
function statedDependency(manifest: Manifest, name: string) {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies"]) {
    const stated = manifest[field];
    if (typeof stated !== "object" || stated === null || !Object.hasOwn(stated, name)) continue;
    const range = (stated as Readonly<Record<string, unknown>>)[name];
    if (typeof range !== "string") return null;
    const [, alias = name, aliasRange = range] = /^npm:((?:@[^/@]+\/)?[^/@]+)(?:@(.*))?$/.exec(range) ?? [];
    return isPackageName(alias) && isRange(aliasRange) ? { name: alias, range: aliasRange } : null;
  }
  return undefined;
}

/** What a bundler reads. */
async function packedSources(files: PackageFiles): Promise<PackedFile[]> {
  const sources = [...files].filter(([path]) => isScriptPath(path) || path.endsWith(".json"));
  return Promise.all(
    sources.map(async ([path, bytes]) => ({ path, content: await packText(new TextDecoder().decode(bytes)) })),
  );
}
