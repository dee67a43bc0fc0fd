// The job that draws the diagrams of a markdown version in the worker's browser, so that no reader's browser has to. What
// it cannot draw, readers' browsers draw as they do until it ends. Those of a long document are drawn in parts, between which
// other jobs have the browser.
import { tooMuch } from "@plinth/runtime/browser/reading/diagram-bounds";
import { encodeId } from "@plinth/contract/ids";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import type { Runtime } from "@plinth/runtime/manifest";

import { drawnSoFar, findDrawings, keepDrawings, keepDrawnSoFar, type DrawingsByKey } from "../content/drawings.ts";
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

/** Diagrams of one part. */
const partMax = 12;
/** Parts of a document that may exceed a limit; the diagrams after the last are left to readers' browsers. */
const exceededMax = 4;
/** Characters of all drawings of a document. */
const charactersMax = 4 * 1024 * 1024;

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
  const earlier = { ...(await earlierDrawings(db, source)), ...(await drawnSoFar(db, sha256)) };
  const byKey = Object.fromEntries(sources.flatMap(({ key: one }) => (earlier[one] ? [[one, earlier[one]]] : [])));
  const missing = sources.filter(({ key: one }) => byKey[one] === undefined);
  let exceeded = 0;
  for (let rest = missing; rest.length > 0 && charactersOf(byKey) < charactersMax && exceeded < exceededMax;) {
    const part = rest.slice(0, partMax);
    const { made, error } = await drawnBy(
      host,
      renderer,
      part.map((one) => one.text),
    );
    const names = part.map((one) => one.key.slice(0, 12));
    for (const [index, drawing] of (await drawingsOf(made, names, work)).entries())
      if (drawing !== null) byKey[part[index]?.key ?? ""] = drawing;
    if (made.length > 0 && made.length < missing.length) await keepDrawnSoFar(db, sha256, byKey);
    const isOfDocument = error instanceof CaptureError && !isMachineBusy(error);
    if (error !== null && !isOfDocument && (!isLastTry || isMachineBusy(error))) throw error;
    if (error !== null) exceeded = isOfDocument ? exceeded + 1 : exceededMax;
    // A first one that is not drawn is the one that exceeded the limit.
    rest = rest.slice(Math.max(1, made.length));
  }
  await keepDrawings(db, sha256, byKey satisfies DrawingsByKey);
}

const charactersOf = (byKey: DrawingsByKey): number =>
  Object.values(byKey).reduce((sum, one) => sum + ("svg" in one ? one.svg : one.caption).length, 0);

/** A new version has most of its diagrams from the version before. */
async function earlierDrawings(db: Database, { before }: Source): Promise<DrawingsByKey> {
  const found = before === null ? null : await findDrawings(db, before);
  return found?.byKey ?? {};
}

/** The drawings of the sources ahead of the one at which an error ended it, and the error. */
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
  let drawn = 0;
  try {
    await renderer.draw(
      page,
      within.map((place) => sources[place] ?? ""),
      (index, drawing) => {
        const place = within[index];
        if (place !== undefined) made[place] = drawing;
        drawn = index + 1;
      },
    );
    return { made, error: null };
  } catch (error) {
    return { made: made.slice(0, within[drawn] ?? made.length), error };
  }
}
