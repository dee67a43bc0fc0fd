// Client of an npm registry: resolves a range to a version, and fetches its tarball.
import { hasStrongIntegrity, strongIntegrity } from "./integrity.ts";
import { FetchError, guardedFetch, type Fetched } from "../fetching/guarded-fetch.ts";
import { maxSatisfying, valid, validRange } from "semver";
import { isRecord, parsedJson } from "@plinth/platform/malformed";

import { packageLimits } from "./limits.ts";
import { PackageProblem } from "./problem.ts";

export interface Registry {
  /** Without a slash at the end. */
  readonly url: string;
}

/** A version, its place, and the digests that its tarball must have. */
export interface ResolvedVersion {
  readonly name: string;
  readonly version: string;
  /** SHA-256 or stronger, in the form of the `integrity` attribute. */
  readonly integrity: string;
  readonly tarball: string;
}

/** The form without readmes and scripts, a tenth of the whole. */
const abbreviated = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

/**
 * The version that a CDN would serve: the exact one, else the greatest that satisfies the range, else that of the tag.
 * @throws PackageProblem
 */
export async function resolveVersion(registry: Registry, name: string, range: string): Promise<ResolvedVersion> {
  const path = name.replace("/", "%2f");
  const exact = valid(range);
  if (exact !== null) return resolvedOf(name, exact, await metadata(registry, `${path}/${encodeURIComponent(exact)}`));
  const { versions, "dist-tags": tags } = await metadata(registry, path);
  if (!isRecord(versions)) throw invalid(name);
  const version = chosen(Object.keys(versions), isRecord(tags) ? tags : {}, range);
  if (version === null) throw new PackageProblem("version-not-found", `${name} has no version ${range || "latest"}`);
  return resolvedOf(name, version, versions[version]);
}

/** For the answer about one version, which is small. */
const versionBytes = 1024 * 1024;

/** Whether the registry has a latest version of the package. @throws PackageProblem where it does not say within `ms` */
export async function hasPackage(registry: Registry, name: string, ms: number): Promise<boolean> {
  const url = `${registry.url}/${name.replace("/", "%2f")}/latest`;
  const { status } = await ask(registry, url, { bytes: versionBytes, ms, accept: abbreviated });
  if (status === 404 || status === 410) return false;
  if (status !== 200) throw refused(name, status);
  return true;
}

function chosen(versions: readonly string[], tags: Readonly<Record<string, unknown>>, range: string): string | null {
  const tag = range === "" ? "latest" : range;
  const tagged = Object.hasOwn(tags, tag) ? tags[tag] : undefined;
  if (typeof tagged === "string" && versions.includes(tagged)) return tagged;
  return validRange(range) === null ? null : maxSatisfying(versions, range);
}

/** @throws PackageProblem */
export async function fetchTarball(registry: Registry, { name, tarball, integrity }: ResolvedVersion) {
  const { status, bytes } = await ask(registry, tarball, { bytes: packageLimits.tarballBytes });
  if (status !== 200) throw refused(name, status);
  if (!hasStrongIntegrity(bytes, integrity))
    throw new PackageProblem("wrong-integrity", `The archive of ${name} is not the one that the registry states`);
  return bytes;
}

async function metadata(registry: Registry, path: string): Promise<Record<string, unknown>> {
  const { status, bytes } = await ask(registry, `${registry.url}/${path}`, {
    bytes: packageLimits.metadataBytes,
    accept: abbreviated,
  });
  const name = decodeURIComponent(path);
  if (status === 404 || status === 410) {
    const isVersion = path.includes("/");
    throw new PackageProblem(isVersion ? "version-not-found" : "package-not-found", `The registry has no ${name}`);
  }
  if (status !== 200) throw refused(name, status);
  const answer = parsedJson(new TextDecoder().decode(bytes));
  if (!isRecord(answer)) throw invalid(name);
  return answer;
}

function resolvedOf(name: string, version: string, manifest: unknown): ResolvedVersion {
  if (!isRecord(manifest) || !isRecord(manifest["dist"])) throw invalid(name);
  const { integrity, tarball } = manifest["dist"];
  if (manifest["name"] !== name || manifest["version"] !== version || typeof tarball !== "string") throw invalid(name);
  const strong = typeof integrity === "string" ? strongIntegrity(integrity) : null;
  if (strong === null)
    throw new PackageProblem("no-integrity", `The registry states no SHA-256 or stronger digest of ${name}@${version}`);
  return { name, version, integrity: strong, tarball };
}

interface Asking {
  readonly bytes: number;
  readonly ms?: number;
  readonly accept?: string;
}

async function ask(registry: Registry, url: string, asking: Asking): Promise<Fetched> {
  const { origin } = new URL(registry.url);
  const limits = { ms: packageLimits.requestMs, trustedOrigin: origin, ...asking };
  try {
    if (!URL.canParse(url)) throw invalid("the archive");
    return await guardedFetch(url, limits);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const code =
      error.refusal === "size" ? "too-large" : isPassing(error) ? "registry-unreachable" : "registry-refused";
    throw new PackageProblem(code, error.message, { cause: error });
  }
}

const isPassing = ({ refusal }: FetchError): boolean => refusal === "time" || refusal === "unreachable";

function refused(name: string, status: number): PackageProblem {
  const code = status >= 500 || status === 429 ? "registry-unreachable" : "registry-refused";
  return new PackageProblem(code, `The registry answers ${status} for ${name}`);
}

const invalid = (name: string): PackageProblem =>
  new PackageProblem("invalid-answer", `The registry's answer about ${name} is not of npm's form`);
