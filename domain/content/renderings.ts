// The store of renderings: each made once for a content and a renderer's version, by the job after
// publishing or by the first reader.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";
import { unbound } from "@plinth/db/waiting";

import { packText, textOf, unpack } from "../storage/pack.ts";
import type { Work } from "../threads/fair-queue.ts";
import { JsxError } from "../threads/jsx.ts";
import { join } from "../threads/pool.ts";
import { isBusy } from "../threads/thread-errors.ts";
import { createCache } from "@plinth/platform/caches";
import { withTimeout } from "@plinth/platform/with-timeout";
import { type ImportableFiles, packedFiles } from "./importable-files.ts";
import { keepPieces, keptPieces, piecesBefore } from "./kept-pieces.ts";
import { make, type Made, type Making, type RendererName, storedAs } from "./renderers.ts";

/** The content to render, and its renderer. */
export interface Rendering {
  readonly sha256: string;
  readonly type: ArtifactType;
  readonly name: RendererName;
  /** Of jsx that imports files beside it. */
  readonly beside?: ImportableFiles | null;
}

/** A rendering as readers see it. */
export interface Rendered {
  readonly text: string;
  /** It was made within its processor time; only then is it kept for good. */
  readonly whole: boolean;
  /** A long document that is still being made: the pieces that are not there yet are shown as they were written. */
  readonly isPartial?: boolean;
}

interface UnderWay {
  readonly made: Promise<Rendered>;
  readonly work: Work;
  /** What an earlier version of the renderer made, which is shown while this one has not finished. */
  earlier: string | null;
  /** A long document as far as it is made. */
  soFar: (() => string) | null;
  /** Resolves where its start is there and the rest takes a while: readers need not wait for more. */
  readonly started: PromiseWithResolvers<null>;
}

/** Parts that take a while together. */
const manyParts = 4;

/** Renderings being made, so that readers who come together wait for one. */
const underWay = new Map<string, UnderWay>();

/** Those shown lately, which never change. */
const recent = createCache<Rendered>("renderings", {
  sizeCalculation: ({ text }) => text.length + 256,
});
/**
 * How long is shown what took more processor time or memory than it may, before it is tried again, in ms. That is the
 * source's doing; what was refused for our load (`busy`) is never kept.
 */
const tooExpensiveMs = 600_000;

/** The rendering, made from the content where there is none. @throws busy, JsxError */
export function rendered(db: Database, rendering: Rendering, content: Uint8Array, work: Work): Promise<Rendered> {
  const shown = recent.get(keyOf(rendering));
  return shown === undefined ? making(db, rendering, content, work).made : Promise.resolve(shown);
}

/**
 * The rendering if it is there within `waitMs`, what an earlier version of the renderer made, or the start of a long document.
 * Null where it is still being made, which goes on, or could not be begun for our load. @throws JsxError
 */
export async function renderedSoon(
  db: Database,
  rendering: Rendering,
  content: Uint8Array,
  { work, waitMs }: { readonly work: Work; readonly waitMs: number },
): Promise<Rendered | null> {
  const shown = recent.get(keyOf(rendering));
  if (shown !== undefined) return shown;
  const entry = making(db, rendering, content, work);
  const made = entry.made.catch((error: unknown) => {
    if (isBusy(error)) return null;
    throw error;
  });
  const soon = await withTimeout(waitMs, Promise.race([made, entry.started.promise]), () => null);
  if (soon !== null) return soon;
  if (entry.earlier !== null) return { text: entry.earlier, whole: false };
  return entry.soFar === null ? null : { text: entry.soFar(), whole: false, isPartial: true };
}

const keyOf = ({ sha256, type, name, beside = null }: Rendering): string =>
  `${sha256}:${type}:${storedAs(name, beside)}`;

/** The one that makes it, at the first turn of any who ask for it: none of them waits for the places of another. */
function making(db: Database, rendering: Rendering, content: Uint8Array, work: Work): UnderWay {
  const key = keyOf(rendering);
  const already = underWay.get(key);
  if (already !== undefined) {
    join(already.work, work);
    return already;
  }
  const { promise, resolve } = Promise.withResolvers<Rendered>();
  const started = Promise.withResolvers<null>();
  const entry: UnderWay = { made: promise, work, earlier: null, soFar: null, started };
  underWay.set(key, entry);
  resolve(unbound(() => findOrMake(db, rendering, content, entry)).finally(() => underWay.delete(key)));
  return entry;
}

async function findOrMake(db: Database, rendering: Rendering, content: Uint8Array, entry: UnderWay): Promise<Rendered> {
  const stored = await find(db, rendering);
  if (stored?.isCurrent === true) return remember(rendering, { text: stored.text, whole: true });
  entry.earlier = stored?.text ?? null;
  const known = keptPieces(entry.work, () => piecesBefore(db, rendering.sha256));
  const onPart = (soFar: () => string, left: number): void => {
    entry.soFar = soFar;
    if (left >= manyParts && entry.earlier === null) entry.started.resolve(null);
  };
  const made = await makeOr(db, entry.earlier, rendering, content, { work: entry.work, known, onPart });
  if (made.whole) await keep(db, rendering, made.text);
  if (made.whole && known.used.size > 0) await keepPieces(db, rendering.sha256, known.used);
  return remember(rendering, made);
}

function remember(rendering: Rendering, made: Rendered): Rendered {
  recent.set(keyOf(rendering), made, made.whole ? {} : { ttl: tooExpensiveMs });
  return made;
}

/** What an earlier version of the renderer made goes on being shown where this one can't make as much. */
async function makeOr(
  db: Database,
  earlier: string | null,
  { name, type, beside = null }: Rendering,
  content: Uint8Array,
  making: Pick<Making, "work" | "known" | "onPart">,
): Promise<Made> {
  try {
    const files = beside === null ? null : await packedFiles(db, beside);
    const made = await make(name, content, { ...making, type, beside: files });
    return made.whole || earlier === null ? made : { text: earlier, whole: false };
  } catch (error) {
    if (!(error instanceof JsxError) || earlier === null) throw error;
    return { text: earlier, whole: false };
  }
}

/** The current version's, or else the newest of an earlier one. */
async function find(db: Database, { sha256, type, name, beside = null }: Rendering) {
  const [row] = await db.run<{ data: Uint8Array; isCurrent: boolean }>(
    `SELECT data, renderer = $3 AS "isCurrent" FROM rendering
     WHERE sha256 = decode($1, 'hex') AND type = $2 AND split_part(renderer, '-', 1) = $4
       AND split_part(renderer, '-', 3) = $5
     ORDER BY renderer = $3 DESC, split_part(renderer, '-', 2)::int DESC LIMIT 1`,
    [sha256, type, storedAs(name, beside), name, beside?.sha256 ?? ""],
  );
  return row === undefined ? null : { text: textOf(await unpack(row.data)), isCurrent: row.isCurrent };
}

/**
 * Stores a rendering by this version of the renderer. If the content is collected at the same time, one waits for the
 * other, and nothing is stored for collected content.
 */
export async function keep(
  db: Database,
  { sha256, type, name, beside = null }: Rendering,
  text: string,
): Promise<void> {
  await db.run(
    `INSERT INTO rendering (sha256, type, renderer, data)
     SELECT sha256, $2, $3, $4::bytea FROM content WHERE sha256 = decode($1, 'hex') FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [sha256, type, storedAs(name, beside), await packText(text)],
  );
}
