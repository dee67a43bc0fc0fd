// The baselines of publishing, a separate process: the rows of a publish, or its bytes alone, in one durable statement through
// the bare driver with a pool of the product's size, and nothing else.
import { SQL } from "bun";

import { document } from "./documents.ts";
import { resultOf, type LoadResult } from "./measure.ts";

export interface PublishBaselineJob {
  readonly databaseUrl: string;
  readonly inserts: "rows" | "bytes";
  /** Parallel publishers; they share the pool. */
  readonly connections: number;
  /** The connections of the pool. */
  readonly pool: number;
  /** The number of the first document. */
  readonly from: number;
  readonly atMost: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Rows that the rows of a publish refer to. */
  readonly projectId: string;
  readonly workspaceId: string;
  readonly userId: string;
}

const actor = JSON.stringify({
  type: "api_key",
  id: "key_00000000000000000000000000",
  label: "bench",
  onBehalfOf: { userId: "usr_00000000000000000000000000", username: "bench" },
});

interface Row {
  readonly artifactId: string;
  readonly slug: string;
  readonly sha256: Uint8Array;
  readonly data: Uint8Array;
  readonly sizeBytes: number;
}

/** Hashed and compressed before the measurement starts: the baseline is the database's work alone. */
function rowOf(number: number): Row {
  const bytes = new TextEncoder().encode(document(number));
  return {
    artifactId: Bun.randomUUIDv7(),
    slug: `baseline-${number}`,
    sha256: new Bun.CryptoHasher("sha256").update(bytes).digest(),
    data: Bun.zstdCompressSync(bytes, { level: 3 }),
    sizeBytes: bytes.length,
  };
}

const statements = {
  rows: `WITH created AS (
  INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, description, latest_version,
    public_view, public_edit, viewer_emails, created_by, creator_id)
  VALUES ($1::uuid, $2::uuid, $3::uuid, $4, 'md', 'Report', NULL, 1, true, false, '{}', $5::text::jsonb, $6::uuid)
), stored AS (
  INSERT INTO content (sha256, data, size_bytes) VALUES ($7::bytea, $8::bytea, $9) ON CONFLICT DO NOTHING
), first AS (
  INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
  VALUES ($1::uuid, 1, $7::bytea, $9, $5::text::jsonb)
), audited AS (
  INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, after,
    request_id) VALUES ($10::uuid, 'artifact.created', $5::text::jsonb, 'api', $3::uuid, $1::uuid, 'artifact', $4,
    $11::text::jsonb, $12)
)
INSERT INTO outbox (job_id, kind, payload) VALUES ($13::uuid, 'head', jsonb_build_object('artifactIds', jsonb_build_array($4::text)))`,
  bytes: "INSERT INTO content (sha256, data, size_bytes) VALUES ($1::bytea, $2::bytea, $3)",
};

function parametersOf({ inserts, projectId, workspaceId, userId }: PublishBaselineJob, row: Row): unknown[] {
  const { artifactId, slug, sha256, data, sizeBytes } = row;
  if (inserts === "bytes") return [sha256, data, sizeBytes];
  const after = JSON.stringify({
    latestVersion: 1,
    sha256: Buffer.from(sha256).toString("hex"),
    slug,
    title: "Report",
    type: "md",
    access: { publicView: true, publicEdit: false, viewerEmails: [] },
  });
  const request = crypto.randomUUID();
  const [event, job] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  return [artifactId, projectId, workspaceId, slug, actor, userId, sha256, data, sizeBytes, event, after, request, job];
}

async function run(job: PublishBaselineJob): Promise<LoadResult> {
  const rows = Array.from({ length: job.atMost }, (_, n) => rowOf(job.from + n));
  const sql = new SQL(job.databaseUrl, { max: job.pool });
  await Promise.all(Array.from({ length: job.pool }, () => sql.unsafe("SELECT 1")));
  const warm = performance.now() + job.warmUpMs;
  const end = warm + job.measureMs;
  const latencies: number[] = [];
  let sent = 0;
  await Promise.all(
    Array.from({ length: job.connections }, async () => {
      for (let now = performance.now(); now < end;) {
        const row = rows[sent++];
        if (row === undefined) throw new Error("more was published than was prepared");
        await sql.unsafe(statements[job.inserts], parametersOf(job, row));
        const done = performance.now();
        if (now >= warm && done < end) latencies.push(done - now);
        now = done;
      }
    }),
  );
  await sql.close();
  return resultOf(latencies, job, sent);
}

process.stdout.write(JSON.stringify(await run((await Bun.stdin.json()) as PublishBaselineJob)));
process.exit(0);
