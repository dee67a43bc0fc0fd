// What each kind of job does. Every one may run twice or late: it leaves the same behind.
import type { Database } from "@plinth/db/connection";

import type { JobKind, Jobs } from "./kinds.ts";
import { purge } from "./purge.ts";
import { writeSearchDocuments } from "./search-document.ts";

type Runners = { readonly [Kind in JobKind]: (db: Database, payload: Jobs[Kind], jobId: string) => Promise<void> };

const runners: Runners = {
  search: (db, { artifactIds }) => writeSearchDocuments(db, artifactIds),
  purge: (db, _payload, jobId) => purge(db, jobId),
};

/** Runs one job; throws what the queue is to count as a failure. */
export async function runJob<Kind extends JobKind>(
  db: Database,
  kind: Kind,
  payload: Jobs[Kind],
  jobId: string,
): Promise<void> {
  await runners[kind](db, payload, jobId);
}
