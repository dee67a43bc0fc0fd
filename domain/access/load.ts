// Loads who is asking and what for: the only way to a row. Requests of one tick share a statement, so the
// database is asked about access every time and still costs little (docs/decisions/access.md, "One load statement").
import type { Database } from "@plinth/db/connection";

import type { ContentCache, Held } from "../storage/cache.ts";
import { unpackSync } from "../storage/pack.ts";
import { batchers, nobody, type Asking, type Reading, type Row } from "./batch.ts";
import type { CallerKind } from "./load-asker.ts";
import {
  anyPictureOf,
  artifactOf,
  grantsOf,
  picturedOf,
  pictureOf,
  projectOf,
  sourceOf,
  versionOf,
  workspaceOf,
} from "./load-rows.ts";
import { loadStatements, type LoadKind, type LoadRequest } from "./load-statement.ts";
import type { LinkGrant } from "./principal.ts";
import type {
  ArtifactRow,
  DecidedArtifact,
  LoadedPicture,
  LoadedSource,
  LoadedVersion,
  ProjectRow,
  WorkspaceRow,
} from "./resource.ts";

export interface Loaded extends Asking {
  /** What was asked for beside who is asking, whether or not it was found. */
  readonly kind: LoadKind;
  /** The good ones of the share links that came with the request. */
  readonly grants: readonly LinkGrant[];
  readonly workspace: WorkspaceRow | null;
  readonly project: ProjectRow | null;
  readonly artifact: ArtifactRow | null;
  readonly version: LoadedVersion | null;
  readonly source: LoadedSource | null;
  readonly picture: LoadedPicture | null;
}

/** The artifact that was loaded, by itself or with a version. */
export const artifactIn = (loaded: Loaded): DecidedArtifact | null =>
  loaded.artifact ?? loaded.source?.artifact ?? null;

/** The share link that was brought for that artifact, the one that allows more; null where there is none. */
export function grantIn(loaded: Loaded): LinkGrant | null {
  const artifactId = artifactIn(loaded)?.artifactId;
  const fitting = loaded.grants.filter((grant) => grant.artifactId === artifactId);
  return fitting.find(({ role }) => role === "editor") ?? fitting[0] ?? null;
}

export type Load = (kind: LoadKind, request: LoadRequest) => Promise<Loaded>;

/** Makes the loader of a process; it keeps nothing but what is under way. */
export function createLoad(db: Database, cache: ContentCache): Load {
  const reading = readingWith(cache);
  const both = (caller: CallerKind) => ({
    alone: batchers(db, loadStatements[caller].alone, reading),
    linked: batchers(db, loadStatements[caller].linked, reading),
  });
  const batches = { anonymous: both("anonymous"), key: both("key"), oauth: both("oauth"), session: both("session") };

  return (kind, request) => {
    const caller = callerOf(request);
    const brought = request.share === undefined && request.grants === undefined ? "alone" : "linked";
    if (caller === "anonymous" && brought === "alone" && kind === "nothing") return Promise.resolve(nothing);
    return batches[caller][brought][kind](request);
  };
}

interface Asked {
  readonly request: LoadRequest;
  readonly sent: LoadRequest;
  /** What it says it has already. */
  readonly held: Held | undefined;
}

const readingWith = (cache: ContentCache): Reading<Asked, Loaded> => ({
  ask(kind, request) {
    const held = kind === "version" || kind === "source" ? cache.held(heldKey(request)) : undefined;
    return { request, held, sent: held === undefined ? request : { ...request, have: `\\x${held.sha256}` } };
  },

  read(kind, { request, held }, { row, asking }) {
    const withBytes = <Read extends Omit<LoadedSource, "bytes">>(read: Read) => ({
      ...read,
      bytes: bytesOf(row, read.version, cache, request, held),
    });
    // What was not named is read all the same, and then put away: that it is missing must not show in the time.
    const read = {
      source: kind === "source" ? sourceOf(row) : null,
      artifact: withArtifact.has(kind) ? artifactOf(row) : null,
      version: kind === "version" ? versionOf(row) : null,
      picture: kind === "picture" ? pictureOf(row) : kind === "versionPicture" ? anyPictureOf(row) : null,
      pictured: kind === "versionPicture" ? picturedOf(row) : null,
    };
    const { source, artifact, version, picture, pictured } = row.is_named ? read : nothingRead;
    return {
      ...asking,
      kind,
      grants: grantsOf(row),
      workspace: kind === "workspace" ? workspaceOf(row) : null,
      project: kind === "project" ? projectOf(row) : null,
      artifact,
      version: version === null || artifact === null ? null : withBytes({ artifact, version }),
      source: source === null ? null : withBytes(source),
      picture: pictureIn(kind, artifact, pictured, picture),
    };
  },
});

const withArtifact: ReadonlySet<LoadKind> = new Set(["artifact", "version", "picture", "versionPicture"]);
const nothingRead = { source: null, artifact: null, version: null, picture: null, pictured: null };

/** Null where no picture was asked for, or of a version that there isn't. */
function pictureIn(
  kind: LoadKind,
  artifact: ArtifactRow | null,
  version: LoadedPicture["version"],
  picture: LoadedPicture["picture"],
): LoadedPicture | null {
  if (artifact === null || (kind === "versionPicture" && version === null)) return null;
  return kind === "picture" || kind === "versionPicture" ? { artifact, version, picture } : null;
}

/**
 * What is known where nobody presented a credential and nothing is named. The database is not asked for it: whether
 * the process lives can be told without one.
 */
const nothing: Loaded = {
  ...nobody,
  kind: "nothing",
  grants: [],
  workspace: null,
  project: null,
  artifact: null,
  version: null,
  source: null,
  picture: null,
};

function callerOf(request: LoadRequest): CallerKind {
  if (request.hash !== undefined || request.credential !== undefined) return "key";
  if (request.session !== undefined || request.session_id !== undefined) return "session";
  return request.oauth === undefined ? "anonymous" : "oauth";
}

const heldKey = ({ artifact, owner, project_slug, slug, version }: LoadRequest): string =>
  `${artifact ?? `${owner}/${project_slug}/${slug}`}:${version ?? "head"}`;

/** Null where retention took them. */
function bytesOf(
  row: Row,
  { sha256, prunedAt }: LoadedSource["version"],
  cache: ContentCache,
  request: LoadRequest,
  held: Held | undefined,
): Uint8Array | null {
  if (prunedAt !== null) return null;
  if (held?.sha256 === sha256) return held.bytes;
  if (row.data === null) return null;
  const bytes = unpackSync(row.data);
  cache.hold(heldKey(request), sha256, bytes);
  return bytes;
}
