// The rendering of markdown ahead of its first reader: in the background, each workspace's documents one after the
// other. It goes on after the job, because one author's expensive documents must not hold the queue of short jobs; what is
// lost with the process, or finds no room, is rendered for its first reader.
import { encodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { unpack } from "../content/pack.ts";
import { rendered } from "../content/renderings.ts";
import { rendererVersion } from "../render/version.ts";
import type { Work } from "../threads/fair-queue.ts";

/** Documents that one workspace may have waiting, and workspaces that may have some. */
const waitingMax = { documents: 1000, workspaces: 64 } as const;

/** Ends in LIMIT 1, so that each is looked up by index whatever the planner thinks of the tables' sizes. */
const statement = `
SELECT h.*
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT encode(v.sha256, 'hex') AS sha256, a.workspace_id
  FROM artifact a
  JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
  WHERE a.artifact_id = ids.id::uuid AND a.deleted_at IS NULL AND a.type = 'md' AND NOT EXISTS (
    SELECT FROM rendering r WHERE r.sha256 = v.sha256 AND r.type = 'md' AND r.renderer = $2)
  LIMIT 1
) h ON true`;

/** The contents that wait to be rendered, by workspace, and what renders them. */
const lines = new Map<string, { readonly contents: Set<string>; readonly done: Promise<void> }>();

/** Has the markdown heads rendered that have not been rendered yet. */
export async function renderHeads(db: Database, artifactIds: readonly string[]): Promise<void> {
  const ids = JSON.stringify(artifactIds.map((artifactId) => uuidOf("art", artifactId)));
  const heads = await db.run<{ sha256: string; workspace_id: string }>(statement, [ids, rendererVersion.md]);
  for (const { sha256, workspace_id } of heads) enqueue(db, encodeId("wsp", workspace_id), sha256);
}

/** Until nothing of what was handed over waits any more. */
export async function headsRendered(): Promise<void> {
  while (lines.size > 0) await Promise.all([...lines.values()].map(({ done }) => done));
}

function enqueue(db: Database, workspaceId: string, sha256: string): void {
  const line = lines.get(workspaceId);
  if (line !== undefined) {
    if (line.contents.size < waitingMax.documents) line.contents.add(sha256);
    return;
  }
  if (lines.size >= waitingMax.workspaces) return;
  const contents = new Set([sha256]);
  // The rest of the job's heads are added before the first is looked up.
  const done = Promise.resolve().then(() => renderAll(db, workspaceId, contents));
  lines.set(workspaceId, { contents, done });
}

async function renderAll(db: Database, workspaceId: string, contents: Set<string>): Promise<void> {
  for (const sha256 of contents) {
    // One that can't be rendered now is rendered for its first reader, who is told what is wrong.
    await renderOne(db, workspaceId, sha256).catch(() => undefined);
    contents.delete(sha256);
  }
  lines.delete(workspaceId);
}

async function renderOne(db: Database, workspaceId: string, sha256: string): Promise<void> {
  const [content] = await db.run<{ data: Uint8Array }>("SELECT data FROM content WHERE sha256 = decode($1, 'hex')", [
    sha256,
  ]);
  if (content === undefined) return;
  const work: Work = { owner: workspaceId, priority: "background" };
  await rendered(db, { sha256, type: "md", name: "md" }, unpack(content.data), work);
}
