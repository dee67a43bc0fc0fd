// What tests of the painter share: one with patience, since the machine may be slow, and which processes are there.
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";

import { readRuntime } from "@plinth/domain/render/manifest";
import type { DocumentToPaint, Painter } from "@plinth/domain/thumbnails/painter";

import type { PageLimits } from "./limits.ts";
import { openPainter, type OpenPainter, type PainterOptions } from "./open-painter.ts";
import { treeOf } from "./processes.ts";

/** As long as nothing hangs. Documents come to rest as soon as they would with the usual limits. */
export const patience: PageLimits = { pageMs: 60_000, settleMs: 30_000, shotMs: 60_000, jobMs: 100_000 };
/** Milliseconds for one test with a browser; not a measure of speed. */
export const hung = 240_000;

/** CHROMIUM_PATH, where the run of tests or who started it has one. */
export const testBrowser = process.env["CHROMIUM_PATH"] ?? null;

export interface TestPainter extends OpenPainter {
  readonly painter: Painter;
  readonly notes: readonly string[];
}

/** @throws where there is no browser */
export async function testPainter(options: Partial<PainterOptions> = {}): Promise<TestPainter> {
  const notes: string[] = [];
  const opened = await openPainter({
    runtime: await readRuntime(),
    chromiumPath: testBrowser,
    note: (line) => notes.push(line),
    limits: patience,
    ...options,
  });
  if (opened.painter === null) throw new Error(`there is no browser to test with: ${notes.join(" ")}`);
  return { ...opened, painter: opened.painter, notes };
}

/** As its frame would get it, but held by nothing: no policy, no sandbox, no guard. */
export const freeDocument = (html: string): DocumentToPaint => ({
  html,
  headers: { "content-type": "text/html; charset=utf-8" },
  origin: "http://plinth.test",
});

/** How long a document stays that must not be heard, from how long one was heard after that nothing held: several times that. */
export const stayMs = (heardAfterMs = 0): number => Math.max(1_000, 4 * heardAfterMs);

/** What a document says that has begun. */
export const BEGAN = "began";

/** The document, which says that it has begun, and comes to rest after that time at the earliest, `patience.settleMs` at most. */
export const staying = (html: string, ms: number): string => `<script>console.log("${BEGAN}")</script>${html}<script>
  const until = performance.now() + ${ms};
  const staying = setInterval(() => {
    document.body.dataset.now = Math.random();
    if (performance.now() > until) clearInterval(staying);
  }, 50);
</script>`;

/** How many processes of studios show a page. */
export const renderers = (): number =>
  processesBelow(process.pid, "/painter/studio.ts").flatMap((studio) => processesBelow(studio, "--type=renderer"))
    .length;

const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("plinth-studio-"));
/** What was left on this machine before, by whomever. */
const foreign = new Set(folders());

/** Those that studios of that process, which is this one unless told, have made since. */
export const studioFolders = (pid: number = process.pid): string[] =>
  folders().filter((name) => new RegExp(`^plinth-studio-\\d+-${pid}-`).test(name) && !foreign.has(name));

/** How many there are of studios and their browsers. */
export const painters = (): number => below("/painter/studio.ts") + below("plinth-studio-");

const below = (text: string): number => processesBelow(process.pid, text).length;

const processesBelow = (pid: number, text: string): number[] =>
  treeOf(pid).filter((each) => commandLine(each).includes(text));

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
}

/** Waits for what must come to pass. @throws where it does not within 60 s */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let looks = 0; looks < 600; looks++) {
    if (isSo()) return;
    await Bun.sleep(100);
  }
  throw new Error(`it did not come to pass: ${what}`);
}
