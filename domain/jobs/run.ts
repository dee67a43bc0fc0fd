// What each kind of job does. Every one may run twice or late: it leaves the same behind.
import type { Database } from "@plinth/db/connection";

import type { Config } from "../config.ts";
import { mailInvitation } from "../mail/invitation-mail.ts";
import type { JobKind, Jobs } from "./kinds.ts";
import { purge } from "./purge.ts";
import { renderHeads } from "./render-heads.ts";
import { renewRenderings } from "./renew-renderings.ts";
import { writeSearchDocuments } from "./search-document.ts";

/** What jobs are given of the process they run in. */
export interface JobHost {
  readonly db: Database;
  readonly config: Pick<Config, "publicUrl" | "secret" | "mail">;
}

type Runners = { readonly [Kind in JobKind]: (host: JobHost, payload: Jobs[Kind], jobId: string) => Promise<void> };

const runners: Runners = {
  async head({ db }, { artifactIds }) {
    await writeSearchDocuments(db, artifactIds);
    await renderHeads(db, artifactIds);
  },
  renderings: ({ db }) => renewRenderings(db),
  purge: ({ db }, _payload, jobId) => purge(db, jobId),
  "invitation-mail": (host, { invitationId }) => mailInvitation(host, invitationId),
};

/** Runs one job; throws what the queue is to count as a failure. */
export async function runJob<Kind extends JobKind>(
  host: JobHost,
  kind: Kind,
  payload: Jobs[Kind],
  jobId: string,
): Promise<void> {
  await runners[kind](host, payload, jobId);
}
