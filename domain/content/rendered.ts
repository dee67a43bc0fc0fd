// A version as a browser shows it: made once for each content and renderer, by whoever needs it first.
import type { FrameView } from "@plinth/contract/frame";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { LRUCache } from "lru-cache";

import type { LoadedVersion } from "../access/resource.ts";
import type { Content } from "../render/document.ts";
import { compileJsx } from "../render/jsx.ts";
import type { CompiledJsx } from "../render/jsx-compiler.ts";
import { markdownFragment } from "../render/markdown.ts";
import { highlightedSource } from "../render/source.ts";
import { rendererVersion } from "../render/version.ts";
import { packRendering, textOf, unpack } from "./pack.ts";

/** What a renderer made; `whole` where it is worth keeping for good. */
interface Made {
  readonly text: string;
  readonly whole: boolean;
}

/** One stored result: the key of its row, and how it is made where there is none. */
interface Rendering {
  readonly sha256: string;
  readonly type: ArtifactType;
  readonly renderer: string;
  readonly make: () => Promise<Made>;
}

/** Renderings being made, so that readers who come together wait for one. */
const underWay = new Map<string, Promise<string>>();

/** What could not be made whole in its time, by content and renderer: shown for a while, and then tried again. */
const passing = new LRUCache<string, string>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (text) => text.length + 256,
  ttl: 600_000,
});

/** The content of the document that shows that view; `projectUrl` is absolute and ends in a slash. */
export async function renderedContent(
  db: Database,
  { artifact, version, bytes }: LoadedVersion,
  view: FrameView,
  projectUrl: string,
): Promise<Content> {
  const { type, title } = artifact;
  const { sha256 } = version;
  const source = textOf(bytes ?? new Uint8Array());
  if (view === "document" && type === "html") return { kind: "html", source };
  // What a text editor put before the text is no part of its first line.
  const written = source.replace(/^\uFEFF/, "");
  const stored = (renderer: string, make: Rendering["make"]) => renderOnce(db, { sha256, type, renderer, make });
  if (view === "source")
    return { kind: "source", title, html: await stored(rendererVersion.source, () => highlighted(type, written)) };
  if (type === "md")
    return { kind: "md", title, projectUrl, html: await stored(rendererVersion.md, () => fragment(written)) };
  const compiled = JSON.parse(await stored(rendererVersion.jsx, () => compiledText(written))) as CompiledJsx;
  return { kind: "jsx", title, compiled };
}

async function fragment(source: string): Promise<Made> {
  const { html, whole } = await markdownFragment(source);
  return { text: html, whole };
}

async function highlighted(type: ArtifactType, source: string): Promise<Made> {
  const { html, whole } = await highlightedSource(type, source);
  return { text: html, whole };
}

const compiledText = async (source: string): Promise<Made> => ({
  text: JSON.stringify(await compileJsx(source)),
  whole: true,
});

function renderOnce(db: Database, rendering: Rendering): Promise<string> {
  const key = `${rendering.sha256}:${rendering.renderer}`;
  const passed = passing.get(key);
  if (passed !== undefined) return Promise.resolve(passed);
  const made = underWay.get(key) ?? findOrMake(db, rendering, key).finally(() => underWay.delete(key));
  underWay.set(key, made);
  return made;
}

async function findOrMake(db: Database, rendering: Rendering, key: string): Promise<string> {
  const stored = await find(db, rendering);
  if (stored !== null) return stored;
  const { text, whole } = await rendering.make();
  if (whole) await keep(db, rendering, text);
  else passing.set(key, text);
  return text;
}

async function find(db: Database, { sha256, type, renderer }: Rendering): Promise<string | null> {
  const [row] = await db.run<{ data: Uint8Array }>(
    "SELECT data FROM rendering WHERE sha256 = decode($1, 'hex') AND type = $2 AND renderer = $3",
    [sha256, type, renderer],
  );
  return row === undefined ? null : textOf(unpack(row.data));
}

/** Not kept where the content has been purged meanwhile. */
async function keep(db: Database, { sha256, type, renderer }: Rendering, text: string): Promise<void> {
  await db.run(
    `INSERT INTO rendering (sha256, type, renderer, data)
     SELECT sha256, $2, $3, $4::bytea FROM content WHERE sha256 = decode($1, 'hex')
     ON CONFLICT DO NOTHING`,
    [sha256, type, renderer, await packRendering(text)],
  );
}
