// Jobs that one can do for many: a queue's work for a job is many times what writing one search document takes, and
// it would be taken from the requests.
import type { OutboxRow } from "./outbox.ts";

/** The same work in fewer jobs. */
export function gather(rows: readonly OutboxRow[]): OutboxRow[] {
  const heads = rows.filter(({ kind }) => kind === "head");
  if (heads.length < 2) return [...rows];
  return [...rows.filter(({ kind }) => kind !== "head"), together(heads)];
}

/** Its identifier is made of theirs: the same rows again are the same job, and others never are. */
function together(heads: readonly OutboxRow[]): OutboxRow {
  const ids = heads.map(({ jobId }) => jobId).join();
  const artifactIds = heads.flatMap(({ payload }) => payload["artifactIds"] as string[]);
  return {
    jobId: `job_${new Bun.CryptoHasher("sha256").update(ids).digest("hex").slice(0, 32)}`,
    kind: "head",
    payload: { artifactIds: [...new Set(artifactIds)] },
  };
}
