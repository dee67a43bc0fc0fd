// Loads the caller and the resource of a request: the only way to a row. Requests that arrive together share a
// statement, so that each request can be decided on the current rows (docs/decisions/access.md, "One load statement").
import type { Database } from "@plinth/db/connection";
import { unbound } from "@plinth/db/waiting";

import { batched } from "../batched.ts";
import { times } from "../leases/protocol.ts";
import type { ContentCache, Held } from "../storage/cache.ts";
import { contentBytes } from "../storage/stored-content.ts";
import {
  callerOf,
  grantsOf,
  unknownCaller,
  type CallerKind,
  type LinkColumns,
  type LoadedCaller,
  type PrincipalColumns,
} from "./load-caller.ts";
import type { Content, Found } from "./load-project.ts";
import {
  forEachKind,
  loadStatements,
  resourceKinds,
  type KindColumns,
  type LoadedRows,
  type LoadKind,
  type LoadRequest,
  type LoadStatements,
} from "./load-statement.ts";
import type { LinkGrant } from "./principal.ts";
import type { VersionRow } from "./resource.ts";
import { unchangedOf, type Versioned } from "./row-versions.ts";

/** The caller of a request, and the resource of the kind that was loaded. */
export type Loaded<Kind extends LoadKind = LoadKind> = LoadedCaller & {
  /** The valid share links of the request. */
  readonly grants: readonly LinkGrant[];
} & (Kind extends LoadKind ? { readonly kind: Kind } & Found<LoadedRows[Kind]> : never);

/** The share link for the loaded artifact, the one that allows more; null where there is none. */
export function grantIn({ artifact, grants }: Loaded): LinkGrant | null {
  const fitting = grants.filter(({ artifactId }) => artifactId === artifact?.artifactId);
  return fitting.find(({ role }) => role === "editor") ?? fitting[0] ?? null;
}

export type Load = <Kind extends LoadKind>(kind: Kind, request: LoadRequest) => Promise<Loaded<Kind>>;

type Loaders = { readonly [Kind in LoadKind]: (request: LoadRequest) => Promise<Loaded<Kind>> };

/** Rows that anyone may see and that the process may answer from memory (public-rows.ts). */
export interface PublicRows {
  /**
   * What the request without a credential and without a share link loads, where the process may answer it at this moment
   * without the database; null otherwise.
   */
  find(kind: LoadKind, request: LoadRequest): Loaded | null;
  /** The row behind what `find` gave; null for anything else. */
  leasedFor(loaded: Loaded): LeasedRow | null;
  /** Whether the process may answer with the row at this moment. */
  holds(leased: LeasedRow): boolean;
  /** Rows in use that are to be renewed; null where none is in use. */
  due(): readonly DueRow[] | null;
  /** Called before a statement is sent, with the kind that it reads or null; null where nothing that it reads can be kept. */
  begin(kind: LoadKind | null): PublicReading | null;
}

/** A row in memory: an answer that is made of it alone is valid for as long as the process holds the row. */
export interface LeasedRow {
  readonly name: string;
  readonly row: object;
}

/** A row that ends soon if it is not renewed, and how to load it again. */
export interface DueRow extends LeasedRow, Versioned {
  readonly kind: LoadKind;
  readonly request: LoadRequest;
}

/** One statement whose rows are kept. */
interface PublicReading {
  keep(request: LoadRequest, loaded: Loaded, versions: string): void;
  /** The statement found the row as it is in memory. */
  confirm(row: LeasedRow): void;
  end(): void;
}

/** Creates the loader of a process. It keeps what is being loaded, and `publicRows` where they are given. */
export function createLoad(db: Database, cache: ContentCache, publicRows: PublicRows | null = null): Load {
  const loadersFor = (caller: CallerKind, links: "alone" | "linked", kept: PublicRows | null = null): Loaders =>
    createLoaders(db, loadStatements[caller][links], cache, kept);
  const both = (caller: CallerKind) => ({ alone: loadersFor(caller, "alone"), linked: loadersFor(caller, "linked") });
  const renewed = publicRows && renewing(db, publicRows, (kind, request) => byAnyone[kind](request));
  const byAnyone: Loaders = loadersFor("anonymous", "alone", renewed);
  const loaders = {
    anonymous: { alone: byAnyone, linked: loadersFor("anonymous", "linked") },
    key: both("key"),
    oauth: both("oauth"),
    session: both("session"),
  };

  return <Kind extends LoadKind>(kind: Kind, request: LoadRequest) => {
    const caller = callerKindOf(request);
    const links = request.share === undefined && request.grants === undefined ? "alone" : "linked";
    // Health is such a request: without the database, it still says whether the process lives.
    if (caller === "anonymous" && links === "alone" && kind === "nothing")
      return Promise.resolve(nothing as Loaded<Kind>);
    const ofCaller: Loaders = loaders[caller][links];
    const isByAnyone = publicRows !== null && caller === "anonymous" && links === "alone";
    const found = isByAnyone ? publicRows.find(kind, request) : null;
    return found === null ? ofCaller[kind](request) : Promise.resolve(found as Loaded<Kind>);
  };
}

/** Rows in one statement that compares them. */
const comparedAtOnce = 500;

/**
 * The same rows, renewed before they end for as long as they are in use, so that no request waits for that. Mostly they are as
 * they were, and to compare the versions of their rows costs a small part of reading them: only those that are not are loaded.
 */
function renewing(
  db: Database,
  publicRows: PublicRows,
  load: (kind: LoadKind, request: LoadRequest) => Promise<Loaded>,
): PublicRows {
  let isWaiting = false;
  const wait = () => {
    isWaiting = true;
    unbound(() => setTimeout(look, times.looksForRows).unref());
  };
  const look = () => {
    isWaiting = false;
    const due = publicRows.due();
    if (due === null) return;
    for (let n = 0; n < due.length; n += comparedAtOnce) void renew(due.slice(n, n + comparedAtOnce)).catch(leaveThem);
    wait();
  };
  const renew = async (due: readonly DueRow[]) => {
    const reading = publicRows.begin(null);
    if (reading === null) return;
    try {
      const unchanged = await unchangedOf(db, due);
      for (const row of due)
        if (unchanged.has(row)) reading.confirm(row);
        else void load(row.kind, row.request).catch(leaveThem);
    } finally {
      reading.end();
    }
  };
  return {
    ...publicRows,
    begin(kind) {
      if (!isWaiting) wait();
      return publicRows.begin(kind);
    },
  };
}

/** A row that could not be renewed ends, and the next request for it loads it. */
const leaveThem = (): void => undefined;

const nothing: Loaded<"nothing"> = { ...unknownCaller, grants: [], kind: "nothing", artifact: null, row: null };

function callerKindOf(request: LoadRequest): CallerKind {
  if (request.hash !== undefined || request.credential !== undefined) return "key";
  if (request.session !== undefined || request.session_id !== undefined) return "session";
  return request.oauth === undefined ? "anonymous" : "oauth";
}

/** Statements of one kind at the same time; later requests wait and share the next one. */
const underWayAtOnce = 4;
const most = 100;
/** A statement costs as much as ten more rows of it do. */
const worthwhile = 16;

/** The caller's columns are missing where the request has no credential, or where another row of the batch has them. */
type Row = { n: number } & Partial<PrincipalColumns> & LinkColumns & KindColumns;

/** Equal requests of the same moment are sent and read once: a page with many readers is one row. */
function createLoaders(
  db: Database,
  statements: LoadStatements,
  cache: ContentCache,
  publicRows: PublicRows | null = null,
): Loaders {
  const loader = (kind: LoadKind) => {
    // A request without a name for a workspace or project means the caller's own, so the row needs its caller.
    const number = resourceKinds[kind].mayBeCallers ? withOwnCaller : withSharedCaller;
    return batched<LoadRequest, Loaded>({
      underWayAtOnce,
      most,
      worthwhile,
      nameOf: JSON.stringify,
      work: keeping(publicRows, kind, async (requests, keep) => {
        const held = requests.map((request) => heldFor(kind, request, cache));
        const numbered = number(requests.map((request, n) => withoutHeld(request, held[n])));
        const rows = await db.run<Row>(statements[kind], [JSON.stringify(numbered.map(({ sent }) => sent))]);
        const callers: LoadedCaller[] = [];
        for (const row of rows) if (numbered[row.n]?.callerAt === row.n) callers[row.n] = callerOf(row);
        const results: (Loaded | Promise<Loaded>)[] = [];
        for (const row of rows) {
          const request = requests[row.n];
          if (request === undefined) continue;
          const caller = callers[numbered[row.n]?.callerAt ?? row.n] ?? unknownCaller;
          try {
            const readWith = (bytes: Uint8Array | null) =>
              read(kind, row, caller, (version) =>
                resourceKinds[kind].hasContent ? bytesOf(version, bytes, cache, request, held[row.n]) : bytes,
              );
            const bytes = row.data instanceof Uint8Array ? contentBytes(db, row.data) : null;
            const loaded = bytes instanceof Promise ? bytes.then(readWith) : readWith(bytes);
            results[row.n] = loaded;
            keep?.(request, loaded, row.row_versions ?? "");
          } catch (error) {
            // Damaged content must not fail the other requests of the batch.
            results[row.n] = Promise.reject(error);
          }
        }
        return results;
      }),
    });
  };
  return forEachKind(loader) as Loaders;
}

type Results = readonly (Loaded | Promise<Loaded>)[];
/** Called with each row that was read, and the versions that it has in the database. */
type Keep = (request: LoadRequest, loaded: Loaded | Promise<Loaded>, versions: string) => void;
type Work = (requests: readonly LoadRequest[], keep: Keep | null) => Promise<Results>;

/** The work, with what it reads kept in `publicRows`. */
function keeping(
  publicRows: PublicRows | null,
  kind: LoadKind,
  work: Work,
): (requests: readonly LoadRequest[]) => Promise<Results> {
  return async (requests) => {
    // Before the statement is sent: a change that the process is told of from here on may be newer than its rows.
    const reading = publicRows?.begin(kind) ?? null;
    if (reading === null) return work(requests, null);
    const kept: Promise<void>[] = [];
    try {
      return await work(requests, (request, loaded, versions) => {
        if (loaded instanceof Promise) kept.push(loaded.then((late) => reading.keep(request, late, versions)));
        else reading.keep(request, loaded, versions);
      });
    } finally {
      void Promise.allSettled(kept).then(() => reading.end());
    }
  };
}

function read(kind: LoadKind, row: Row, caller: LoadedCaller, content: Content): Loaded {
  const found = resourceKinds[kind].read(row, content);
  // The artifact that stands in for a missing one is read too, so that the time does not show that it is missing.
  const named = row.is_named === false ? missing : found;
  return { ...caller, grants: grantsOf(row), kind, artifact: named.artifact, row: named.row } as Loaded;
}

const missing: Found<null> = { artifact: null, row: null };

/** A request as the statement gets it, and the number of the request that has the caller's credential. */
interface Numbered {
  readonly sent: LoadRequest & { readonly n: number };
  readonly callerAt: number;
}

const withOwnCaller = (requests: readonly LoadRequest[]): Numbered[] =>
  requests.map((request, n) => ({ sent: { n, ...request }, callerAt: n }));

const isWithoutCredential = ({ hash, oauth, session, credential, session_id }: LoadRequest): boolean =>
  (hash ?? oauth ?? session ?? credential ?? session_id) === undefined;

/** Programs and pages send many requests at once: only the first one of a credential looks it up. */
function withSharedCaller(requests: readonly LoadRequest[]): Numbered[] {
  const first = new Map<string, number>();
  return requests.map((request, n) => {
    if (isWithoutCredential(request)) return { sent: { n, ...request }, callerAt: n };
    const { hash, oauth, oauth_at, session, credential, session_id, ...wanted } = request;
    // The place in the list is the kind: a token of one kind must not equal the identifier of another.
    const presented = [hash, oauth, oauth_at, session, credential, session_id].join(" ");
    const callerAt = first.get(presented);
    if (callerAt !== undefined) return { sent: { n, ...wanted }, callerAt };
    first.set(presented, n);
    return { sent: { n, ...request }, callerAt: n };
  });
}

const heldFor = (kind: LoadKind, request: LoadRequest, cache: ContentCache): Held | undefined =>
  resourceKinds[kind].hasContent ? cache.held(heldKey(request)) : undefined;

const withoutHeld = (request: LoadRequest, held: Held | undefined): LoadRequest =>
  held === undefined ? request : { ...request, have: `\\x${held.sha256}` };

/** What the content cache knows the version of a request by. */
export const heldKey = ({ artifact, owner, project_slug, slug, version }: LoadRequest): string =>
  `${artifact ?? `${owner}/${project_slug}/${slug}`}:${version ?? "head"}`;

/** Null where retention deleted them. */
function bytesOf(
  { sha256, prunedAt }: Pick<VersionRow, "sha256" | "prunedAt">,
  bytes: Uint8Array | null,
  cache: ContentCache,
  request: LoadRequest,
  held: Held | undefined,
): Uint8Array | null {
  if (prunedAt !== null) return null;
  if (held?.sha256 === sha256) return held.bytes;
  if (bytes === null) return null;
  cache.hold(heldKey(request), sha256, bytes);
  return bytes;
}
