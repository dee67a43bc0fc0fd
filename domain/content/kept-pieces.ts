// The pieces of long markdown documents that were made already: in memory for each workspace or caller, and stored beside the
// rendering for the next version. A draft, and a version that changes a paragraph, have only their new formulas and code made.
import type { Database } from "@plinth/db/connection";
import { createCache } from "@plinth/platform/caches";

import { piecesVersion } from "../render/version.ts";
import { packText, textOf, unpack } from "../storage/pack.ts";
import type { Work } from "../threads/fair-queue.ts";
import type { KnownPieces } from "../threads/markdown-parts.ts";

/** By owner and key: how soon one is made tells nothing of the texts of others. */
const recent = createCache<string>("pieces", { sizeCalculation: (html) => html.length + 128 });

/** The pieces of a document that is being made. */
export interface DocumentPieces extends KnownPieces {
  /** Those that were found or made, by their keys; empty for a document that is not long. */
  readonly used: ReadonlyMap<string, string>;
}

/** Those that an owner's documents share; `earlier` has those of the version before, asked for where some are missing. */
export function keptPieces(
  { owner }: Work,
  earlier: () => Promise<ReadonlyMap<string, string>> = () => Promise.resolve(new Map()),
): DocumentPieces {
  const used = new Map<string, string>();
  const take = (key: string, html: string | undefined): void => {
    if (html === undefined) return;
    recent.set(`${owner} ${key}`, html);
    used.set(key, html);
  };
  return {
    used,
    remember: take,
    async find(keys) {
      for (const key of keys) take(key, recent.get(`${owner} ${key}`));
      if (used.size === keys.length) return used;
      const before = await earlier();
      for (const key of keys) if (!used.has(key)) take(key, before.get(key));
      return used;
    },
  };
}

const earlierStatement = `
SELECT r.data FROM version v
JOIN LATERAL (
  SELECT b.sha256 FROM version b
  WHERE b.artifact_id = v.artifact_id AND b.version_number < v.version_number AND b.sha256 IS NOT NULL
  ORDER BY b.version_number DESC LIMIT 1
) b ON true
JOIN rendering r ON r.sha256 = b.sha256 AND r.type = 'md' AND r.renderer = $2
WHERE v.sha256 = decode($1, 'hex') LIMIT 1`;

/** Those stored for the version before one with this content; none where there are none. */
export async function piecesBefore(db: Database, sha256: string): Promise<ReadonlyMap<string, string>> {
  const [row] = await db.run<{ data: Uint8Array }>(earlierStatement, [sha256, piecesVersion]);
  if (row === undefined) return new Map();
  return new Map(Object.entries(JSON.parse(textOf(await unpack(row.data))) as Record<string, string>));
}

/** Stores the pieces of a content for its next version, unless it was collected at the same time. */
export async function keepPieces(db: Database, sha256: string, used: ReadonlyMap<string, string>): Promise<void> {
  await db.run(
    `INSERT INTO rendering (sha256, type, renderer, data)
     SELECT sha256, 'md', $2, $3::bytea FROM content WHERE sha256 = decode($1, 'hex') FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [sha256, piecesVersion, await packText(JSON.stringify(Object.fromEntries(used)))],
  );
}
