// The rendering of markdown ahead of its first reader: in the background, each workspace's documents one after the
// other. It goes on after the job, because one author's expensive documents must not hold the queue of short jobs; what is
// lost with the process, or finds no room, is rendered for its first reader. A fault that is not the renderers' fails the
// next job, because the one that handed the document over has ended.
import { encodeId } from "@plinth/contract/ids";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { rendered } from "../content/renderings.ts";
import { requestDiagrams, requestImages } from "../content/request-locks.ts";
import { backgroundWork } from "../content/work.ts";
import { drawingsVersion, rendererVersion } from "../render/version.ts";
import { hasDiagrams } from "../render/document/diagrams.ts";
import { hasRemoteImages } from "../render/document/remote-images.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";
import { isBusy } from "../threads/thread-errors.ts";

/** Documents that one workspace may have waiting, and workspaces that may have some. */
const waitingMax = { documents: 1000, workspaces: 64 } as const;

/** Ends in LIMIT 1, so that each is looked up by index under any estimate of the tables' sizes. */
const statement = `
SELECT h.*
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT encode(v.sha256, 'hex') AS sha256, a.workspace_id, v.created_by, a.artifact_id, a.latest_version
  FROM artifact a
  JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
  WHERE a.artifact_id = ids.id::uuid AND a.deleted_at IS NULL AND a.type = 'md' AND (
    NOT EXISTS (SELECT FROM rendering r WHERE r.sha256 = v.sha256 AND r.type = 'md' AND r.renderer = $2)
    OR $3 AND NOT EXISTS (
      SELECT FROM image_lock l WHERE l.artifact_id = a.artifact_id AND l.version_number = a.latest_version)
    OR $4 AND NOT EXISTS (
      SELECT FROM rendering r WHERE r.sha256 = v.sha256 AND r.type = 'md' AND r.renderer = '${drawingsVersion}'))
  LIMIT 1
) h ON true`;

interface Head {
  readonly sha256: string;
  readonly workspace_id: string;
  readonly created_by: Actor;
  readonly artifact_id: string;
  readonly latest_version: number;
}

/** The heads that wait to be rendered, by workspace, artifact and content, and what renders them. */
const lines = new Map<string, { readonly heads: Map<string, Head>; readonly done: Promise<void> }>();
/** The first that went wrong since the last job, the renderers' faults left out. */
let fault: { readonly error: unknown } | null = null;

/** The further work that a rendering may show to be needed, as far as the instance does it. */
interface Needs {
  readonly fetchesImages: boolean;
  readonly drawsDiagrams: boolean;
}

/**
 * Has the markdown heads rendered that have not been rendered yet; of those that show some, the image locks written and
 * the diagrams drawn, where the instance does that. @throws what went wrong since the last call
 */
export async function renderHeads(
  db: Database,
  artifactIds: readonly string[],
  needs: Needs = { fetchesImages: false, drawsDiagrams: false },
): Promise<void> {
  const ids = JSON.stringify(artifactIds.map((artifactId) => uuidOf("art", artifactId)));
  const heads = await db.run<Head>(statement, [ids, rendererVersion.md, needs.fetchesImages, needs.drawsDiagrams]);
  for (const head of heads) enqueue(db, head, needs);
  const before = fault;
  fault = null;
  if (before !== null) throw before.error;
}

/** Until nothing of what was handed over waits any more. */
export async function headsRendered(): Promise<void> {
  while (lines.size > 0) await Promise.all([...lines.values()].map(({ done }) => done));
}

function enqueue(db: Database, head: Head, needs: Needs): void {
  const { workspace_id: workspace } = head;
  const key = `${head.artifact_id} ${head.sha256}`;
  const line = lines.get(workspace);
  if (line !== undefined) {
    if (line.heads.size < waitingMax.documents) line.heads.set(key, head);
    return;
  }
  if (lines.size >= waitingMax.workspaces) return;
  const heads = new Map([[key, head]]);
  // The rest of the job's heads are added before the first is looked up.
  const done = Promise.resolve().then(() => renderAll(db, workspace, heads, needs));
  lines.set(workspace, { heads, done });
}

async function renderAll(db: Database, workspace: string, heads: Map<string, Head>, needs: Needs): Promise<void> {
  for (const [key, head] of heads) {
    await renderOne(db, head, needs).catch((error: unknown) => {
      // One that finds no place is rendered for its first reader.
      if (!isBusy(error)) fault ??= { error };
    });
    heads.delete(key);
  }
  lines.delete(workspace);
}

const contentStatement = `SELECT ${storedContent} AS data FROM content c WHERE c.sha256 = decode($1, 'hex')`;

async function renderOne(db: Database, head: Head, { fetchesImages, drawsDiagrams }: Needs): Promise<void> {
  const { sha256, workspace_id, created_by, artifact_id, latest_version: versionNumber } = head;
  const [content] = await db.run<{ data: Uint8Array }>(contentStatement, [sha256]);
  if (content === undefined) return;
  const work = backgroundWork(encodeId("wsp", workspace_id), created_by);
  const { text } = await rendered(db, { sha256, type: "md", name: "md" }, await contentBytes(db, content.data), work);
  const key = { artifactId: encodeId("art", artifact_id), versionNumber };
  if (fetchesImages && hasRemoteImages(text)) await requestImages(db, [key]);
  if (drawsDiagrams && hasDiagrams(text)) await requestDiagrams(db, [key]);
}
