// The drawings of a markdown document's diagrams, which a job stores beside its rendering. They belong to the content:
// what one document's author may have done to them is seen in no other's.
import type { Database } from "@plinth/db/connection";
import { createCache } from "@plinth/platform/caches";

import { hasDiagrams, type ShownDrawing } from "../render/document/diagrams.ts";
import { drawingsVersion } from "../render/version.ts";
import { packText, textOf, unpack } from "../storage/pack.ts";
import { versionKey, type LockedVersion } from "./package-documents.ts";
import { requestDiagrams } from "./request-locks.ts";

/** Drawings by the keys of their sources; a diagram without one is drawn by the reader's browser. */
export type DrawingsByKey = Readonly<Record<string, ShownDrawing>>;

export interface Drawings {
  readonly byKey: DrawingsByKey;
  /** Changes with every drawing. */
  readonly digest: string;
}

/** Of a document whose diagrams are not drawn yet. */
const undrawn: Drawings = { byKey: {}, digest: "undrawn" };
/** For how long nothing is looked up again for such a document, in ms: the job takes seconds. */
const undrawnMs = 2_000;

/** By their content; drawings never change. */
const recent = createCache<Drawings>("drawings", { sizeCalculation: sizeOf });
const asked = createCache<true>("drawingsAsked");

function sizeOf({ byKey }: Drawings): number {
  const characters = Object.values(byKey).map((one) => ("svg" in one ? one.svg : one.caption).length + 64);
  return characters.reduce((sum, count) => sum + count, 256);
}

/** The drawings of a document where they are in memory, or that it has none yet. */
export const knownDrawings = (sha256: string): Drawings | undefined => recent.get(sha256);

/** The drawings of a rendered document; undefined where it has no diagrams. */
export async function documentDrawings(db: Database, sha256: string, html: string): Promise<Drawings | undefined> {
  if (!hasDiagrams(html)) return undefined;
  const known = knownDrawings(sha256);
  if (known !== undefined) return known;
  const found = await findDrawings(db, sha256);
  if (found === null) recent.set(sha256, undrawn, { ttl: undrawnMs });
  else recent.set(sha256, found);
  return found ?? undrawn;
}

/** Asks for the drawings of a version that a reader opened, unless that was done lately. */
export async function askForDrawings(db: Database, version: LockedVersion, drawings: Drawings): Promise<void> {
  const key = versionKey(version);
  if (drawings !== undrawn || key === null || asked.has(version.sha256)) return;
  asked.set(version.sha256, true);
  await requestDiagrams(db, [key]);
}

/** Null where none are stored. */
export async function findDrawings(db: Database, sha256: string): Promise<Drawings | null> {
  const text = await storedText(db, sha256, drawingsVersion);
  if (text === null) return null;
  const digest = new Bun.CryptoHasher("sha256").update(text).digest("base64url").slice(0, 22);
  return { byKey: JSON.parse(text) as DrawingsByKey, digest };
}

async function storedText(db: Database, sha256: string, renderer: string): Promise<string | null> {
  const [row] = await db.run<{ data: Uint8Array }>(
    "SELECT data FROM rendering WHERE sha256 = decode($1, 'hex') AND type = 'md' AND renderer = $2",
    [sha256, renderer],
  );
  return row === undefined ? null : textOf(await unpack(row.data));
}

/** Stores the drawings of a content, unless it was collected at the same time; the first ones stay. */
export async function keepDrawings(db: Database, sha256: string, byKey: DrawingsByKey): Promise<void> {
  await store(db, sha256, drawingsVersion, byKey);
  await db.run("DELETE FROM rendering WHERE sha256 = decode($1, 'hex') AND type = 'md' AND renderer = $2", [
    sha256,
    begunVersion,
  ]);
  recent.delete(sha256);
}

/** Of what a job has drawn of a long document: no reader sees it, because drawings never change. */
const begunVersion = `begun${drawingsVersion}`;

/** What a job of the content drew before it was ended. */
export async function drawnSoFar(db: Database, sha256: string): Promise<DrawingsByKey> {
  return JSON.parse((await storedText(db, sha256, begunVersion)) ?? "{}") as DrawingsByKey;
}

/** Stores it, so that the next try of the job goes on with it. */
export const keepDrawnSoFar = (db: Database, sha256: string, byKey: DrawingsByKey): Promise<void> =>
  store(db, sha256, begunVersion, byKey);

async function store(db: Database, sha256: string, renderer: string, byKey: DrawingsByKey): Promise<void> {
  await db.run(
    `INSERT INTO rendering (sha256, type, renderer, data)
     SELECT sha256, 'md', $2, $3::bytea FROM content WHERE sha256 = decode($1, 'hex') FOR KEY SHARE
     ON CONFLICT (sha256, type, renderer) DO UPDATE SET data = excluded.data WHERE excluded.renderer = $4`,
    [sha256, renderer, await packText(JSON.stringify(byKey)), begunVersion],
  );
}
