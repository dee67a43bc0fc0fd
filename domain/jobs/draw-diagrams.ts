// The job that draws the diagrams of a markdown version in the worker's browser, so that no reader's browser has to. What
// it cannot draw, readers' browsers draw as they do until it ends.
import { tooMuch } from "@plinth/runtime/browser/reading/diagram-bounds";
import { encodeId } from "@plinth/contract/ids";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import type { Runtime } from "@plinth/runtime/manifest";

import { findDrawings, keepDrawings, type DrawingsByKey } from "../content/drawings.ts";
import { framedHeaders } from "../content/framed-document.ts";
import { rendered } from "../content/renderings.ts";
import { backgroundWork } from "../content/work.ts";
import type { VersionKey } from "../packages/lock.ts";
import { diagramsKey, endTurn } from "../queue/turns-of-workspaces.ts";
import type { MadeDrawing } from "../render/diagrams/drawing.ts";
import { hasDiagrams } from "../render/document/diagrams.ts";
import { contentNonce } from "../render/headers/content-headers.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";
import { diagramsOf, drawingsOf } from "../threads/bounded-tasks.ts";
import {
  CaptureError,
  isMachineBusy,
  screenshotPath,
  type CaptureHost,
  type ThumbnailRenderer,
} from "../thumbnails/renderer.ts";
import { documentHead } from "../render/document/document.ts";

/**
 * The page in which the worker's browser draws diagrams: ours alone, with the faces of a document. Sources come later, as
 * data, to the function that its script defines.
 */
export const diagramPage = ({ path }: Pick<Runtime, "path">): string => `${documentHead("Diagrams")}
<link rel="stylesheet" crossorigin href="${path}markdown.css">
<script type="module" src="${path}diagram-page.js"></script>
</head>
<body></body>
</html>
`;

/**
 * Does nothing without a browser. A document that exceeds a limit keeps the drawings made before; where the machine is too
 * busy on every try, a later reader asks again. @throws what another try may do better
 */
export async function drawDiagrams(host: CaptureHost, key: VersionKey, isLastTry: boolean): Promise<void> {
  let isOver = isLastTry;
  try {
    if (host.renderer !== null) await drawVersion(host, host.renderer, key, isLastTry);
    isOver = true;
  } finally {
    if (isOver) await endTurn(host.db, diagramsKey(key.artifactId, key.versionNumber));
  }
}

interface Source {
  readonly sha256: string;
  readonly data: Uint8Array;
  readonly workspace_id: string;
  readonly created_by: Actor;
  /** The content of the version before. */
  readonly before: string | null;
}

const sourceStatement = `
SELECT encode(v.sha256, 'hex') AS sha256, ${storedContent} AS data, a.workspace_id, v.created_by,
  (SELECT encode(b.sha256, 'hex') FROM version b
   WHERE b.artifact_id = v.artifact_id AND b.version_number < v.version_number AND b.sha256 IS NOT NULL
   ORDER BY b.version_number DESC LIMIT 1) AS before
FROM version v
JOIN artifact a ON a.artifact_id = v.artifact_id
JOIN content c ON c.sha256 = v.sha256
WHERE v.artifact_id = $1 AND v.version_number = $2 AND v.pruned_at IS NULL AND a.deleted_at IS NULL AND a.type = 'md'`;

async function drawVersion(
  host: CaptureHost,
  renderer: ThumbnailRenderer,
  key: VersionKey,
  isLastTry: boolean,
): Promise<void> {
  const { db } = host;
  const [source] = await db.run<Source>(sourceStatement, [uuidOf("art", key.artifactId), key.versionNumber]);
  if (source === undefined || (await findDrawings(db, source.sha256)) !== null) return;
  const { sha256, data, workspace_id, created_by } = source;
  const work = backgroundWork(encodeId("wsp", workspace_id), created_by);
  const { text, whole } = await rendered(db, { sha256, type: "md", name: "md" }, await contentBytes(db, data), work);
  if (!whole || !hasDiagrams(text)) return;
  const sources = await diagramsOf(text, work);
  const earlier = await earlierDrawings(db, source);
  const missing = sources.filter(({ key: one }) => earlier[one] === undefined);
  const { made, error } = await drawnBy(
    host,
    renderer,
    missing.map((one) => one.text),
  );
  const isOfDocument = error instanceof CaptureError && !isMachineBusy(error);
  if (error !== null && !isOfDocument && (!isLastTry || isMachineBusy(error))) throw error;
  const drawings = await drawingsOf(made, work);
  const shown = [
    ...sources.map(({ key: one }) => [one, earlier[one]] as const),
    ...missing.map(({ key: one }, index) => [one, drawings[index]] as const),
  ];
  const byKey = Object.fromEntries(shown.flatMap(([one, drawing]) => (drawing ? [[one, drawing]] : [])));
  await keepDrawings(db, sha256, byKey satisfies DrawingsByKey);
}

/** A new version has most of its diagrams from the version before. */
async function earlierDrawings(db: Database, { before }: Source): Promise<DrawingsByKey> {
  const found = before === null ? null : await findDrawings(db, before);
  return found?.byKey ?? {};
}

/** The drawings, those before an error included, and the error. */
async function drawnBy({ config }: CaptureHost, renderer: ThumbnailRenderer, sources: readonly string[]) {
  const made = sources.map((source): MadeDrawing => {
    const problem = tooMuch(source);
    return problem === null ? null : { problem };
  });
  const within = [...sources.keys()].filter((place) => made[place] === null);
  if (within.length === 0) return { made, error: null };
  const nonce = contentNonce();
  const page = {
    html: diagramPage(renderer.runtime),
    headers: framedHeaders({ config, runtime: renderer.runtime, ownUrl: null }, "md", nonce),
    origin: new URL(config.contentOrigin).origin,
    path: screenshotPath,
  };
  try {
    await renderer.draw(
      page,
      within.map((place) => sources[place] ?? ""),
      (index, drawing) => {
        const place = within[index];
        if (place !== undefined) made[place] = drawing;
      },
    );
    return { made, error: null };
  } catch (error) {
    return { made, error };
  }
}
