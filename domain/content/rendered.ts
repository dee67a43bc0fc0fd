// A version as a browser shows it: made once for each content and renderer, by whoever needs it first.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { LRUCache } from "lru-cache";

import type { LoadedVersion } from "../access/resource.ts";
import { compileJsx } from "../render/jsx.ts";
import { markdownFragment, sourceFragment } from "../render/markdown.ts";
import { rendererVersion } from "../render/version.ts";
import { textOf, unpack } from "./pack.ts";

/** Renderings being made, so that readers who come together wait for one. */
const underWay = new Map<string, Promise<string>>();

/** Documents too slow to render, by content and renderer: shown as source for a while, and then tried again. */
const tooSlow = new LRUCache<string, true>({ max: 10_000, ttl: 600_000 });

/** What the renderer of that type made: html of markdown, code of jsx; for html the source itself. */
export async function renderedText(db: Database, { artifact, version, bytes }: LoadedVersion): Promise<string> {
  const source = textOf(bytes ?? new Uint8Array());
  if (artifact.type === "html") return source;
  // What a text editor put before the text is no part of its first line.
  const written = source.replace(/^\uFEFF/, "");
  const { type } = artifact;
  const key = `${version.sha256}:${rendererVersion[type]}`;
  if (tooSlow.has(key)) return sourceFragment(written);
  const made = underWay.get(key) ?? renderOnce(db, version.sha256, type, written, key);
  underWay.set(key, made);
  return made.finally(() => underWay.delete(key));
}

async function renderOnce(
  db: Database,
  sha256: string,
  type: "md" | "jsx",
  source: string,
  key: string,
): Promise<string> {
  const renderer = rendererVersion[type];
  const stored = await find(db, sha256, type, renderer);
  if (stored !== null) return stored;
  if (type === "jsx") return keep(db, sha256, type, renderer, (await compileJsx(source)).code);
  const { html, asSource } = await markdownFragment(source);
  if (!asSource) return keep(db, sha256, type, renderer, html);
  tooSlow.set(key, true);
  return html;
}

async function find(db: Database, sha256: string, type: ArtifactType, renderer: string): Promise<string | null> {
  const [row] = await db.run<{ data: Uint8Array }>(
    "SELECT data FROM rendering WHERE sha256 = decode($1, 'hex') AND type = $2 AND renderer = $3",
    [sha256, type, renderer],
  );
  return row === undefined ? null : textOf(unpack(row.data));
}

async function keep(db: Database, sha256: string, type: ArtifactType, renderer: string, text: string): Promise<string> {
  await db.run(
    `INSERT INTO rendering (sha256, type, renderer, data) VALUES (decode($1, 'hex'), $2, $3, $4::bytea)
     ON CONFLICT DO NOTHING`,
    [sha256, type, renderer, Bun.zstdCompressSync(new TextEncoder().encode(text))],
  );
  return text;
}
