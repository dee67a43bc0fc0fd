// The baseline of publishing, a separate process: the same rows through the bare driver with the same durability and
// nothing else, in one transaction.
import { SQL } from "bun";

import { document } from "./documents.ts";
import type { LoadResult } from "./measure.ts";

export interface PublishBaselineJob {
  readonly databaseUrl: string;
  /** Parallel publishers, each with a connection. */
  readonly connections: number;
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

const inserts = {
  artifact: `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, description, latest_version,
    public_view, public_edit, viewer_emails, created_by, creator_id)
    VALUES ($1::uuid, $2::uuid, $3::uuid, $4, 'md', 'Report', NULL, 1, true, false, '{}', $5::text::jsonb, $6::uuid)`,
  content: "INSERT INTO content (sha256, data, size_bytes) VALUES ($1::bytea, $2::bytea, $3) ON CONFLICT DO NOTHING",
  version: `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
    VALUES ($1::uuid, 1, $2::bytea, $3, $4::text::jsonb)`,
  audit: `INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, after,
    request_id) VALUES ($1::uuid, 'artifact.created', $2::text::jsonb, 'api', $3::uuid, $4::uuid, 'artifact', $5,
    $6::text::jsonb, $7)`,
  outbox: `INSERT INTO outbox (job_id, kind, payload)
    VALUES ($1::uuid, 'search', jsonb_build_object('artifactId', $2::text))`,
};

function publisher(sql: SQL, { projectId, workspaceId, userId }: PublishBaselineJob): (row: Row) => Promise<unknown> {
  const after = (row: Row) =>
    JSON.stringify({
      latestVersion: 1,
      slug: row.slug,
      type: "md",
      access: { publicView: true, publicEdit: false, viewerEmails: [] },
    });
  return (row) =>
    sql.begin(async (tx) => {
      await tx.unsafe(inserts.artifact, [row.artifactId, projectId, workspaceId, row.slug, actor, userId]);
      await tx.unsafe(inserts.content, [row.sha256, row.data, row.sizeBytes]);
      await tx.unsafe(inserts.version, [row.artifactId, row.sha256, row.sizeBytes, actor]);
      await tx.unsafe(inserts.audit, [
        Bun.randomUUIDv7(),
        actor,
        workspaceId,
        row.artifactId,
        row.slug,
        after(row),
        crypto.randomUUID(),
      ]);
      await tx.unsafe(inserts.outbox, [Bun.randomUUIDv7(), row.artifactId]);
    });
}

async function run(job: PublishBaselineJob): Promise<LoadResult> {
  const rows = Array.from({ length: job.atMost }, (_, n) => rowOf(job.from + n));
  const sql = new SQL(job.databaseUrl, { max: job.connections });
  const publish = publisher(sql, job);
  await Promise.all(Array.from({ length: job.connections }, () => sql.unsafe("SELECT 1")));
  const warm = performance.now() + job.warmUpMs;
  const end = warm + job.measureMs;
  const latencies: number[] = [];
  let sent = 0;
  await Promise.all(
    Array.from({ length: job.connections }, async () => {
      for (let now = performance.now(); now < end;) {
        const row = rows[sent++];
        if (row === undefined) throw new Error("more was published than was prepared");
        await publish(row);
        const done = performance.now();
        if (now >= warm && done < end) latencies.push(done - now);
        now = done;
      }
    }),
  );
  await sql.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / (job.measureMs / 1000), p50: at(0.5), p99: at(0.99), sent };
}

process.stdout.write(JSON.stringify(await run((await Bun.stdin.json()) as PublishBaselineJob)));
process.exit(0);
