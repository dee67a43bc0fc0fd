// A CDN for documents that are opened without the product: the files of npm packages, by the same mapping and from the
// same registry as the instance's, but by every URL that the browser asks for instead of those that a parser finds.
import { mapUrl } from "@plinth/domain/packages/cdn/map-url";
import { isFileWanted, type Wanted } from "@plinth/domain/packages/cdn/package-file";
import { chosenPath, listingOf, type Listing } from "@plinth/domain/packages/choose-file";
import { mediaTypeOf } from "@plinth/domain/packages/media-types";
import { PackageProblem } from "@plinth/domain/packages/problem";
import { fetchTarball, resolveVersion } from "@plinth/domain/packages/registry";
import { unpack, type PackageFiles } from "@plinth/domain/packages/unpack";

export interface CdnAnswer {
  readonly body: Buffer;
  readonly contentType: string;
}

interface Unpacked {
  readonly name: string;
  readonly version: string;
  readonly files: PackageFiles;
  readonly listing: Listing;
}

export type AskCdn = (url: string, use: "style" | "script") => Promise<CdnAnswer | null>;

/** Answers null for a URL that is no package's or whose package has no such file. */
export function cdnOf(registryUrl: string): AskCdn {
  const registry = { url: registryUrl };
  const packages = new Map<string, Promise<Unpacked>>();
  const unpacked = ({ name, range }: Wanted): Promise<Unpacked> => {
    const key = `${name}@${range}`;
    const known = packages.get(key) ?? fetched(registry, name, range);
    packages.set(key, known);
    return known;
  };
  return async (url, use) => {
    const mapping = mapUrl(url, use);
    if (mapping === null) return null;
    try {
      const found = await Promise.all(mapping.map(async (wanted) => fileOf(await unpacked(wanted), wanted)));
      return answerOf(
        found.filter((file) => file !== null),
        use,
      );
    } catch (error) {
      if (!(error instanceof PackageProblem)) throw error;
      return null;
    }
  };
}

async function fetched(registry: { readonly url: string }, name: string, range: string): Promise<Unpacked> {
  const resolved = await resolveVersion(registry, name, range);
  const files = await unpack(await fetchTarball(registry, resolved));
  return { name, version: resolved.version, files, listing: listingOf(files) };
}

interface File extends CdnAnswer {
  /** On a CDN, so that relative URLs of one style sheet among several still lead somewhere. */
  readonly url: string;
}

function fileOf({ name, version, files, listing }: Unpacked, wanted: Wanted): File | null {
  // A module that a CDN makes is no file: the reference goes without it.
  const path = isFileWanted(wanted) ? chosenPath(wanted, listing) : null;
  const bytes = path === null ? undefined : files.get(path);
  if (path === null || bytes === undefined) return null;
  const contentType = mediaTypeOf(path) ?? "application/octet-stream";
  return { body: Buffer.from(bytes), contentType, url: `https://cdn.jsdelivr.net/npm/${name}@${version}/${path}` };
}

function answerOf(files: readonly File[], use: "style" | "script"): CdnAnswer {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only;
  if (use === "script")
    return {
      body: Buffer.concat(files.flatMap(({ body }) => [body, Buffer.from("\n")])),
      contentType: "text/javascript",
    };
  const imports = files.map(({ url }) => `@import url(${JSON.stringify(url)});`).join("\n");
  return { body: Buffer.from(imports), contentType: "text/css" };
}
