// The store of renderings: each made once for a content and a renderer's version, by whoever needs it first.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { LRUCache } from "lru-cache";

import { JsxError } from "../render/jsx/jsx.ts";
import { rendererVersion } from "../render/version.ts";
import { packRendering, textOf, unpack } from "./pack.ts";
import { make, type Made, type RendererName } from "./renderers.ts";

/** What is to be rendered, by what. */
export interface Rendering {
  readonly sha256: string;
  readonly type: ArtifactType;
  readonly name: RendererName;
}

/** Renderings being made, so that readers who come together wait for one. */
const underWay = new Map<string, Promise<string>>();

/** Those shown lately, which never change. */
const recent = new LRUCache<string, string>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: (text) => text.length + 256,
});
/**
 * How long is shown what could not be made whole in its time, before it is tried again: not long after the first time,
 * which may have been the machine's fault, and then long, since it was the source's. In ms.
 */
const passingMs = { first: 15_000, again: 600_000 } as const;
const fellShort = new LRUCache<string, true>({ max: 10_000, ttl: 2 * passingMs.again });

/** The rendering, made from the content where there is none. */
export function rendered(db: Database, rendering: Rendering, content: Uint8Array): Promise<string> {
  const key = keyOf(rendering);
  const shown = recent.get(key);
  if (shown !== undefined) return Promise.resolve(shown);
  const made = underWay.get(key) ?? findOrMake(db, rendering, content, key).finally(() => underWay.delete(key));
  underWay.set(key, made);
  return made;
}

const keyOf = ({ sha256, type, name }: Rendering): string => `${sha256}:${type}:${rendererVersion[name]}`;

/** Whether what readers are shown lacks what could not be made in its time. */
export async function fallsShort(db: Database, rendering: Rendering, content: Uint8Array): Promise<boolean> {
  await rendered(db, rendering, content);
  return fellShort.has(keyOf(rendering));
}

async function findOrMake(db: Database, rendering: Rendering, content: Uint8Array, key: string): Promise<string> {
  const stored = await find(db, rendering);
  const { text, whole } =
    stored?.isCurrent === true ? { ...stored, whole: true } : await makeOr(stored?.text, rendering, content);
  if (whole && stored?.isCurrent !== true) await keep(db, rendering, text);
  recent.set(key, text, whole ? {} : { ttl: fellShort.has(key) ? passingMs.again : passingMs.first });
  if (!whole) fellShort.set(key, true);
  return text;
}

/** What an earlier version of the renderer made goes on being shown where this one can't make as much. */
async function makeOr(earlier: string | undefined, { name, type }: Rendering, content: Uint8Array): Promise<Made> {
  try {
    const made = await make(name, type, content);
    return made.whole || earlier === undefined ? made : { text: earlier, whole: false };
  } catch (error) {
    if (!(error instanceof JsxError) || earlier === undefined) throw error;
    return { text: earlier, whole: false };
  }
}

/** The current version's, or else the newest of an earlier one. */
async function find(db: Database, { sha256, type, name }: Rendering) {
  const [row] = await db.run<{ data: Uint8Array; isCurrent: boolean }>(
    `SELECT data, renderer = $3 AS "isCurrent" FROM rendering
     WHERE sha256 = decode($1, 'hex') AND type = $2 AND split_part(renderer, '-', 1) = $4
     ORDER BY renderer = $3 DESC, split_part(renderer, '-', 2)::int DESC LIMIT 1`,
    [sha256, type, rendererVersion[name], name],
  );
  return row === undefined ? null : { text: textOf(unpack(row.data)), isCurrent: row.isCurrent };
}

/**
 * Keeps what this version of the renderer made; not where the content has been collected meanwhile, which waits for
 * this or is waited for.
 */
export async function keep(db: Database, { sha256, type, name }: Rendering, text: string): Promise<void> {
  await db.run(
    `INSERT INTO rendering (sha256, type, renderer, data)
     SELECT sha256, $2, $3, $4::bytea FROM content WHERE sha256 = decode($1, 'hex') FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [sha256, type, rendererVersion[name], await packRendering(text)],
  );
}
