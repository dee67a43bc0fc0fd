// Rows that anyone may see, answered from memory while the process holds a lease (docs/architecture/leases.md): only for
// requests without a credential and without a share link.
import { createObjectCache } from "@plinth/platform/caches";
import { uuidOf } from "@plinth/db/columns";

import type { Leases } from "../leases/leases.ts";
import type { Due, Memory } from "../leases/memory.ts";
import type { ContentCache } from "../storage/cache.ts";
import { createCompactRow } from "./compact-row.ts";
import { heldKey, type DueRow, type LeasedRow, type Loaded, type PublicRows } from "./load.ts";
import type { LoadKind, LoadRequest } from "./load-statement.ts";
import type { Addressed, ArtifactRow, LoadedFile, VersionRow } from "./resource.ts";

type PublicKind = "artifact" | "version" | "source" | "files" | "file";

/** Without the bytes of its version or file, which the content cache has. */
export type PublicRow = Loaded<PublicKind>;

const kinds: ReadonlySet<LoadKind> = new Set<PublicKind>(["artifact", "version", "source", "files", "file"]);

export type PublicLeases = Leases<PublicRow>;

const isOfPublicKind = (loaded: Loaded): loaded is PublicRow => kinds.has(loaded.kind);

/** Rows of public artifacts in `memory`, with bytes of `cache`. */
export function createPublicRows(memory: Memory<PublicRow>, cache: ContentCache): PublicRows {
  const leased = createObjectCache<Loaded, LeasedRow>("rowsInUse");
  const compactRow = createCompactRow();
  return {
    find(kind, request) {
      if (!kinds.has(kind)) return null;
      const name = nameOf(kind, request);
      const row = memory.find(name);
      const loaded = row === null ? null : withBytes(row, request, cache);
      if (row === null || loaded === null) return null;
      if (!leased.has(loaded)) leased.set(loaded, { name, row });
      return loaded;
    },
    leasedFor: (loaded) => leased.get(loaded) ?? null,
    holds: ({ name, row }) => memory.holds(name, row as PublicRow),
    due: () => memory.due()?.map(dueRow) ?? null,
    begin(kind) {
      const reading = kind === null || kinds.has(kind) ? memory.begin() : null;
      if (reading === null) return null;
      return {
        keep(request, loaded, versions) {
          if (!isOfPublicKind(loaded) || !isPublic(loaded) || !isAtItsAddress(request, loaded)) return;
          const { artifactId } = loaded.artifact;
          const name = nameOf(loaded.kind, request);
          if (loaded.kind === "file") holdFile(request, loaded, cache);
          const weight = weightOf(name, loaded) + 2 * versions.length;
          reading.keep(name, { artifactId, row: compactRow(withoutBytes(loaded)), versions, weight });
        },
        confirm: ({ name, row }) => reading.confirm(name, row as PublicRow),
        end: () => reading.end(),
      };
    },
  };
}

function dueRow({ name, row, versions }: Due<PublicRow>): DueRow {
  const { kind, artifact } = row;
  const request = requestNamed(name);
  return {
    name,
    row,
    kind,
    request: withoutKnown(request, row),
    readAs: kind === "source" || kind === "file" ? "text" : "artifact",
    artifact: uuidOf("art", artifact?.artifactId ?? ""),
    version: request.version,
    isAddressed: request.slug !== undefined,
    versions,
  };
}

/** The same for readers who have the file and those who do not. */
const nameOf = (kind: LoadKind, request: LoadRequest): string => kind + JSON.stringify({ ...request, held: undefined });

const requestNamed = (name: string): LoadRequest => JSON.parse(name.slice(name.indexOf("{"))) as LoadRequest;

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
  const artifact: Partial<ArtifactRow & Addressed> = "artifact" in row ? row.artifact : row;
  if (artifact.address !== undefined) return artifact.address === `${owner}/${projectSlug}/${slug}`;
  return artifact.ownerUsername === owner && artifact.projectSlug === projectSlug && artifact.slug === slug;
}

function withoutBytes(loaded: PublicRow): PublicRow {
  if (loaded.kind === "version" && loaded.row !== null) return { ...loaded, row: { ...loaded.row, bytes: null } };
  if (loaded.kind === "source" && loaded.row !== null) return { ...loaded, row: { ...loaded.row, bytes: null } };
  if (loaded.kind === "file" && loaded.row !== null) return withFileBytes(loaded, loaded.row, null);
  return loaded;
}

/** A longer file is read from the database each time, so that a few do not take the place of everything else. */
const longestFile = 256 * 1024;

type LoadedFileRow = Loaded<"file">;

const fileKey = (request: LoadRequest): string => `${heldKey(request)}/${request.path}`;

function holdFile(request: LoadRequest, { row }: LoadedFileRow, cache: ContentCache): void {
  if (row === null || row.file.bytes === null || row.file.bytes.length > longestFile) return;
  cache.hold(fileKey(request), row.file.sha256, row.file.bytes);
}

const withFileBytes = (loaded: LoadedFileRow, row: LoadedFile, bytes: Uint8Array | null): LoadedFileRow => ({
  ...loaded,
  row: { ...row, file: { ...row.file, bytes } },
});

/** The request that reads a row again: bytes that the cache has are not sent again. */
function withoutKnown(request: LoadRequest, loaded: PublicRow): LoadRequest {
  return loaded.kind === "file" && loaded.row !== null ? { ...request, held: [loaded.row.file.sha256] } : request;
}

/** Null where the cache no longer has the bytes. */
function withBytes(loaded: PublicRow, request: LoadRequest, cache: ContentCache): PublicRow | null {
  if (loaded.kind === "file" && loaded.row !== null) {
    const { sha256 } = loaded.row.file;
    if (request.held?.includes(sha256) === true) return loaded;
    const file = cache.held(fileKey(request));
    return file?.sha256 === sha256 ? withFileBytes(loaded, loaded.row, file.bytes) : null;
  }
  if ((loaded.kind !== "version" && loaded.kind !== "source") || loaded.row === null) return loaded;
  const held = cache.held(heldKey(request));
  if (held?.sha256 !== loaded.row.version.sha256) return null;
  // One branch for each kind, because their rows have different types.
  if (loaded.kind === "version") return { ...loaded, row: { ...loaded.row, bytes: held.bytes } };
  return { ...loaded, row: { ...loaded.row, bytes: held.bytes } };
}

/**
 * The bytes of memory that an entry takes without its texts; measured by public-rows.test.ts. With an artifact, what
 * `artifact.getByPath` answers is kept.
 */
const emptyWeight: Readonly<Record<PublicKind, number>> = {
  artifact: 3000,
  version: 2100,
  source: 1500,
  files: 2100,
  file: 1500,
};

/** The bytes of memory that an entry takes. */
function weightOf(name: string, { kind, row }: Found): number {
  const artifact: Partial<ArtifactRow> = "artifact" in row ? row.artifact : row;
  const version: Partial<VersionRow> = "version" in row ? row.version : {};
  const texts = [name, artifact.title, artifact.description, artifact.sourcePath, version.changelog];
  const addresses = artifact.viewerEmails ?? [];
  const characters = [...texts, ...addresses].reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return emptyWeight[kind] + 2 * characters + 64 * addresses.length;
}
