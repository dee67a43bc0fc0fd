// Loads who is asking and what for: the only way to a row. Requests of one tick share a statement, so the
// database is asked about access every time and still costs little (architecture, "Writing").
import type { Database } from "@plinth/db/connection";

import { batched } from "../batch.ts";
import type { ContentCache, Held } from "../content/cache.ts";
import { unpack } from "../content/pack.ts";
import { loadStatements, type CallerKind, type LoadKind, type LoadRequest } from "./load-statement.ts";
import {
  artifactOf,
  personOf,
  projectOf,
  versionOf,
  workspaceOf,
  type ArtifactColumns,
  type PrincipalColumns,
  type ProjectColumns,
  type VersionColumns,
  type WorkspaceColumns,
} from "./load-rows.ts";
import type { Person } from "./principal.ts";
import type { ArtifactRow, LoadedVersion, ProjectRow, WorkspaceRow } from "./resource.ts";

/** Of the principal there is nothing where nobody presented a credential. */
type Row = { n: number } & Partial<PrincipalColumns> &
  WorkspaceColumns &
  ProjectColumns &
  ArtifactColumns &
  VersionColumns & { data: Uint8Array | null };

export interface Loaded {
  /** Null where no credential was given or none has that hash. */
  readonly person: Person | null;
  readonly standing: "good" | "expired" | "revoked" | "unknown";
  readonly personalPlan: PrincipalColumns["own_plan"];
  readonly workspace: WorkspaceRow | null;
  readonly project: ProjectRow | null;
  readonly artifact: ArtifactRow | null;
  readonly version: LoadedVersion | null;
}

export type Load = (kind: LoadKind, request: LoadRequest) => Promise<Loaded>;

/** Statements of one kind that may be under way at once; what arrives meanwhile waits and goes together. */
const underWayAtOnce = 4;
const most = 100;

/** Makes the loader of a process; it keeps nothing but what is under way. */
export function createLoad(db: Database, cache: ContentCache): Load {
  const batches = {
    anonymous: batchers(db, loadStatements.anonymous),
    key: batchers(db, loadStatements.key),
    oauth: batchers(db, loadStatements.oauth),
    session: batchers(db, loadStatements.session),
  };

  return async (kind, request) => {
    const held = kind === "version" ? cache.held(heldKey(request)) : undefined;
    const caller = callerOf(request);
    if (caller === "anonymous" && kind === "nothing") return nothing;
    const row = await batches[caller][kind](held === undefined ? request : { ...request, have: `\\x${held.sha256}` });
    const artifact = kind === "artifact" || kind === "version" ? artifactOf(row) : null;
    return {
      person: isKnown(row) ? personOf(row) : null,
      standing: standingOf(row),
      personalPlan: row.own_plan ?? null,
      workspace: kind === "workspace" ? workspaceOf(row) : null,
      project: kind === "project" ? projectOf(row) : null,
      artifact,
      version: kind === "version" ? loadedVersion(row, artifact, cache, request, held) : null,
    };
  };
}

/**
 * What is known where nobody presented a credential and nothing is named. The database is not asked for it: whether
 * the process lives can be told without one.
 */
const nothing: Loaded = {
  person: null,
  standing: "unknown",
  personalPlan: null,
  workspace: null,
  project: null,
  artifact: null,
  version: null,
};

function callerOf(request: LoadRequest): CallerKind {
  if (request.hash !== undefined || request.credential !== undefined) return "key";
  if (request.session !== undefined || request.session_id !== undefined) return "session";
  return request.oauth === undefined ? "anonymous" : "oauth";
}

const isKnown = (row: Row): row is Row & PrincipalColumns & { credential_id: string } =>
  typeof row.credential_id === "string";

function standingOf(row: Row): Loaded["standing"] {
  if (!isKnown(row)) return "unknown";
  if (row.revoked) return "revoked";
  return row.expired ? "expired" : "good";
}

const heldKey = (request: LoadRequest): string => `${request.artifact ?? ""}:${request.version ?? "head"}`;

function loadedVersion(
  row: Row,
  artifact: ArtifactRow | null,
  cache: ContentCache,
  request: LoadRequest,
  held: Held | undefined,
): LoadedVersion | null {
  const version = artifact === null ? null : versionOf(artifact.artifactId, row);
  if (artifact === null || version === null) return null;
  if (version.prunedAt !== null) return { artifact, version, bytes: null };
  if (held?.sha256 === version.sha256) return { artifact, version, bytes: held.bytes };
  if (row.data === null) return { artifact, version, bytes: null };
  const bytes = unpack(row.data);
  cache.hold(heldKey(request), version.sha256, bytes);
  return { artifact, version, bytes };
}

type Batchers = Record<LoadKind, (request: LoadRequest) => Promise<Row>>;

const batchers = (db: Database, statements: Readonly<Record<LoadKind, string>>): Batchers => ({
  nothing: batcher(db, statements.nothing),
  workspace: batcher(db, statements.workspace),
  project: batcher(db, statements.project),
  artifact: batcher(db, statements.artifact),
  version: batcher(db, statements.version),
});

const batcher = (db: Database, statement: string): ((request: LoadRequest) => Promise<Row>) =>
  batched({
    underWayAtOnce,
    most,
    async work(requests) {
      const rows = await db.run<Row>(statement, [JSON.stringify(requests.map((request, n) => ({ n, ...request })))]);
      const results: Row[] = [];
      for (const row of rows) results[row.n] = row;
      return results;
    },
  });
