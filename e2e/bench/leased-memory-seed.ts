// Inserts public Markdown documents into the tables of an instance, each different from the others, of 1 KB and of 9 KB in turns,
// in a hundred projects. They are rendered when they are first read.
import { decodeId, encodeId } from "@plinth/contract/ids";
import type { SQL } from "bun";

import { username, type Account } from "./account.ts";

/** Bytes of a document, by the remainder of its number. */
const lengths = [1024, 9 * 1024] as const;
const projects = 100;

const idOf = "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";
const textOf = (length: number) => `rpad('# Report ' || n || E'\\n\\n', ${length}, md5(n::text) || ' ')`;

/** The n-th document, from 1 on. */
export const seededId = (n: number): string =>
  encodeId("art", `01900000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`);
export const seededAddress = (n: number): string => `${username}/seeded-${n % projects}/report-${n}`;

/** A frame of zstd with one raw block. */
function frameOf(length: number): string {
  const head = Buffer.alloc(10);
  head.writeUInt32LE(0xfd2fb528);
  head.writeUInt8(0x60, 4);
  head.writeUInt16LE(length - 256, 5);
  head.writeUIntLE((length << 3) | 1, 7, 3);
  return head.toString("hex");
}

export async function seedPublic(database: SQL, count: number, { userId, workspaceId }: Account): Promise<void> {
  const run = (statement: string, parameters: unknown[] = []) => database.unsafe(statement, parameters);
  const owner = [decodeId("wsp", workspaceId) ?? "", decodeId("usr", userId) ?? ""];
  await run(
    `INSERT INTO project (project_id, workspace_id, slug, title, icon)
     SELECT gen_random_uuid(), $1::uuid, 'seeded-' || p, 'Seeded', 'S' FROM generate_series(0, ${projects - 1}) p`,
    owner.slice(0, 1),
  );
  await run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id)
     SELECT ${idOf}, p.project_id, p.workspace_id, 'report-' || n, 'md', 'Report ' || n, 1, true, false, '{}',
       '{"type": "user", "id": "usr_seeded", "label": "seeded"}', $2::uuid
     FROM generate_series(1, ${count}) n JOIN project p ON p.workspace_id = $1::uuid AND p.slug = 'seeded-' || n % ${projects}`,
    owner,
  );
  for (const [remainder, length] of lengths.entries())
    await run(
      `WITH document AS (
         SELECT n, convert_to(${textOf(length)}, 'UTF8') AS bytes FROM generate_series(1, ${count}) n
         WHERE n % ${lengths.length} = ${remainder}
       ), content AS (
         INSERT INTO content (sha256, data, size_bytes)
         SELECT sha256(bytes), '\\x${frameOf(length)}'::bytea || bytes, ${length} FROM document
       )
       INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
       SELECT ${idOf}, 1, sha256(bytes), ${length}, '{"type": "user", "id": "usr_seeded", "label": "seeded"}' FROM document`,
    );
  await run(
    `INSERT INTO artifact_order (artifact_id, project_id, workspace_id, public_view, updated_at, title_key)
     SELECT artifact_id, project_id, workspace_id, public_view, updated_at, lower(title) FROM artifact
     ON CONFLICT DO NOTHING`,
  );
  await run("VACUUM ANALYZE");
}
