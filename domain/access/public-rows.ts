// Rows that anyone may see, answered from memory while the process holds a lease (docs/architecture/leases.md): only for
// requests without a credential and without a share link.
import type { Leases } from "../leases/leases.ts";
import type { Memory } from "../leases/memory.ts";
import type { ContentCache } from "../storage/cache.ts";
import { heldKey, type Loaded, type PublicRows } from "./load.ts";
import type { LoadKind, LoadRequest } from "./load-statement.ts";
import type { ArtifactRow, VersionRow } from "./resource.ts";

type PublicKind = "artifact" | "version" | "source" | "files";

/** Without the bytes of its version, which the content cache has. */
export type PublicRow = Loaded<PublicKind>;

const kinds: ReadonlySet<LoadKind> = new Set<PublicKind>(["artifact", "version", "source", "files"]);

export type PublicLeases = Leases<PublicRow>;

const isOfPublicKind = (loaded: Loaded): loaded is PublicRow => kinds.has(loaded.kind);

/** Rows of public artifacts in `memory`, with bytes of `cache`. */
export function createPublicRows(memory: Memory<PublicRow>, cache: ContentCache): PublicRows {
  return {
    find(kind, request) {
      if (!kinds.has(kind)) return null;
      const found = memory.find(nameOf(kind, request));
      const loaded = found === null ? null : withBytes(found.row, request, cache);
      return found === null || loaded === null ? null : { loaded, isDue: found.isDue };
    },
    begin(kind) {
      const reading = kinds.has(kind) ? memory.begin() : null;
      if (reading === null) return null;
      return {
        keep(request, loaded) {
          if (!isOfPublicKind(loaded) || !isPublic(loaded) || !isAtItsAddress(request, loaded)) return;
          const { artifactId } = loaded.artifact;
          const name = nameOf(kind, request);
          reading.keep(name, { artifactId, row: withoutBytes(loaded), weight: weightOf(name, loaded) });
        },
        end: () => reading.end(),
      };
    },
  };
}

const nameOf = (kind: LoadKind, request: LoadRequest): string => kind + JSON.stringify(request);

type Found = PublicRow & { readonly artifact: object; readonly row: object };

/** Whether anyone may see all of what was loaded. */
function isPublic(loaded: PublicRow): loaded is Found {
  const { artifact, row } = loaded;
  if (artifact === null || row === null || !artifact.publicView || artifact.deletedAt !== null) return false;
  return !("version" in row) || row.version.prunedAt === null;
}

/**
 * Whether the artifact is named by its identifier or its present address. At a former address, or one in the place of a source path,
 * another artifact can be created, and creating one tells no process.
 */
function isAtItsAddress(
  { artifact: id, owner, project_slug: projectSlug, slug }: LoadRequest,
  { row }: Found,
): boolean {
  if (id !== undefined) return true;
  const artifact: Partial<ArtifactRow> = "artifact" in row ? row.artifact : row;
  return artifact.ownerUsername === owner && artifact.projectSlug === projectSlug && artifact.slug === slug;
}

function withoutBytes(loaded: PublicRow): PublicRow {
  if (loaded.kind === "version" && loaded.row !== null) return { ...loaded, row: { ...loaded.row, bytes: null } };
  if (loaded.kind === "source" && loaded.row !== null) return { ...loaded, row: { ...loaded.row, bytes: null } };
  return loaded;
}

/** Null where the cache no longer has the bytes. */
function withBytes(loaded: PublicRow, request: LoadRequest, cache: ContentCache): PublicRow | null {
  if ((loaded.kind !== "version" && loaded.kind !== "source") || loaded.row === null) return loaded;
  const held = cache.held(heldKey(request));
  if (held?.sha256 !== loaded.row.version.sha256) return null;
  // One branch for each kind, because their rows have different types.
  if (loaded.kind === "version") return { ...loaded, row: { ...loaded.row, bytes: held.bytes } };
  return { ...loaded, row: { ...loaded.row, bytes: held.bytes } };
}

/** The bytes of memory that an entry takes without its texts; measured by public-rows.test.ts. */
const emptyWeight: Readonly<Record<PublicKind, number>> = { artifact: 2500, version: 3300, source: 1500, files: 3300 };

/** The bytes of memory that an entry takes. */
function weightOf(name: string, { kind, row }: Found): number {
  const artifact: Partial<ArtifactRow> = "artifact" in row ? row.artifact : row;
  const version: Partial<VersionRow> = "version" in row ? row.version : {};
  const texts = [name, artifact.title, artifact.description, artifact.sourcePath, version.changelog];
  const addresses = artifact.viewerEmails ?? [];
  const characters = [...texts, ...addresses].reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return emptyWeight[kind] + 2 * characters + 64 * addresses.length;
}
