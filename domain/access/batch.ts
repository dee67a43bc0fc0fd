// Requests that arrive together, as one statement: each is a row of it, and who asks is looked up once for all that
// come with the same credential.
import type { PlanId } from "@plinth/contract/plans";
import type { Database } from "@plinth/db/connection";

import { batched } from "../batched.ts";
import type { LoadKind, LoadRequest, LoadStatements } from "./load-statement.ts";
import {
  personOf,
  type ArtifactColumns,
  type LinkColumns,
  type PictureColumns,
  type PrincipalColumns,
  type ProjectColumns,
  type VersionColumns,
  type WorkspaceColumns,
} from "./load-rows.ts";
import type { Person } from "./principal.ts";

/** Of the principal there is nothing where nobody presented a credential, or where another row of the batch has it. */
export type Row = { n: number } & Partial<PrincipalColumns> &
  LinkColumns &
  WorkspaceColumns &
  ProjectColumns &
  ArtifactColumns &
  VersionColumns &
  PictureColumns & { data: Uint8Array | null };

/** The plan of a workspace, with the seats that were bought. */
export interface PlanHeld {
  readonly plan: PlanId;
  readonly seatsBought: number | null;
}

/** Who is asking. */
export interface Asking {
  /** Null where no credential was given or none has that hash. */
  readonly person: Person | null;
  readonly standing: "good" | "expired" | "revoked" | "unknown";
  /** Of their personal workspace; null where there is none. */
  readonly personalPlan: PlanHeld | null;
}

export const nobody: Asking = { person: null, standing: "unknown", personalPlan: null };

/** Statements of one kind that may be under way at once; what arrives meanwhile waits and goes together. */
const underWayAtOnce = 4;
const most = 100;
/** A statement costs as much as ten more rows of it do. */
const worthwhile = 16;

/** What the database says to one request. */
export interface Answer {
  readonly row: Row;
  readonly asking: Asking;
}

/** How a request is sent, and what is made of its answer; `Asked` is the request with what only the latter needs. */
export interface Reading<Asked extends { readonly sent: LoadRequest }, Result> {
  /** As its batch goes. */
  ask(kind: LoadKind, request: LoadRequest): Asked;
  read(kind: LoadKind, asked: Asked, answer: Answer): Result;
}

const isKnown = (row: Row): row is Row & PrincipalColumns & { credential_id: string } =>
  typeof row.credential_id === "string";

function askingOf(row: Row): Asking {
  if (!isKnown(row)) return nobody;
  const standing = row.revoked ? "revoked" : row.expired ? "expired" : "good";
  const { own_plan: plan, own_seats: seatsBought } = row;
  return { person: personOf(row), standing, personalPlan: plan === null ? null : { plan, seatsBought } };
}

type Batchers<Result> = Record<LoadKind, (request: LoadRequest) => Promise<Result>>;

/** What is asked alike, by the same, at the same time is asked and read once: a page that many look at is one row. */
export function batchers<Asked extends { readonly sent: LoadRequest }, Result>(
  db: Database,
  statements: LoadStatements,
  reading: Reading<Asked, Result>,
): Batchers<Result> {
  const batcher = (kind: LoadKind, number: (requests: readonly LoadRequest[]) => Numbered[]) =>
    batched<LoadRequest, Result>({
      underWayAtOnce,
      most,
      worthwhile,
      nameOf: JSON.stringify,
      async work(requests) {
        const asked = requests.map((request) => reading.ask(kind, request));
        const numbered = number(asked.map(({ sent }) => sent));
        const rows = await db.run<Row>(statements[kind], [JSON.stringify(numbered.map(({ sent }) => sent))]);
        const asking: Asking[] = [];
        for (const row of rows) if (numbered[row.n]?.asks === row.n) asking[row.n] = askingOf(row);
        const results: (Result | Promise<Result>)[] = [];
        for (const row of rows) {
          const its = asked[row.n];
          if (its === undefined) continue;
          const answer = { row, asking: asking[numbered[row.n]?.asks ?? row.n] ?? nobody };
          try {
            results[row.n] = reading.read(kind, its, answer);
          } catch (error) {
            // Bytes that are no content any more are no concern of the others in the batch.
            results[row.n] = Promise.reject(error);
          }
        }
        return results;
      },
    });
  return {
    nothing: batcher("nothing", oncePerCaller),
    // A workspace or a project may be the caller's own, so each such row needs its caller.
    workspace: batcher("workspace", asTheyAre),
    project: batcher("project", asTheyAre),
    artifact: batcher("artifact", oncePerCaller),
    version: batcher("version", oncePerCaller),
    source: batcher("source", oncePerCaller),
    picture: batcher("picture", oncePerCaller),
    versionPicture: batcher("versionPicture", oncePerCaller),
  };
}

/** A request as the statement gets it, and the number of the one that says who asks. */
interface Numbered {
  readonly sent: LoadRequest & { readonly n: number };
  readonly asks: number;
}

const asTheyAre = (requests: readonly LoadRequest[]): Numbered[] =>
  requests.map((request, n) => ({ sent: { n, ...request }, asks: n }));

/** Whether there is nobody to look up. */
const isNobodys = ({ hash, oauth, session, credential, session_id }: LoadRequest): boolean =>
  (hash ?? oauth ?? session ?? credential ?? session_id) === undefined;

/** A program or a page asks for many things at once: who it is is looked up for the first of them. */
function oncePerCaller(requests: readonly LoadRequest[]): Numbered[] {
  const first = new Map<string, number>();
  return requests.map((request, n) => {
    if (isNobodys(request)) return { sent: { n, ...request }, asks: n };
    const { hash, oauth, session, credential, session_id, ...wanted } = request;
    // By name as well: a token of one kind must never stand for what is identified by the same text in another.
    const presented = [hash, oauth, session, credential, session_id].join(" ");
    const asks = first.get(presented);
    if (asks !== undefined) return { sent: { n, ...wanted }, asks };
    first.set(presented, n);
    return { sent: { n, ...request }, asks: n };
  });
}
