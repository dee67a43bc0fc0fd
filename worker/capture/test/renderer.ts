// Fixtures of the renderer's tests: generous limits, because the machine can be slow, and the list of running
// processes.
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";

import { readRuntime } from "@plinth/runtime/manifest";
import { screenshotPath, type DocumentToCapture, type ThumbnailRenderer } from "@plinth/domain/thumbnails/renderer";

import type { PageLimits } from "../limits.ts";
import { openRenderer, type OpenRenderer, type RendererOptions } from "../open-renderer.ts";
import { treeOf } from "../processes.ts";

/** These limits only detect a hang. Documents become idle as soon as with the usual limits. */
export const generousLimits: PageLimits = {
  pageMs: 60_000,
  idleWaitMs: 30_000,
  shotMs: 60_000,
  jobMs: 100_000,
  drawMs: 60_000,
  drawingsMs: 100_000,
};
/** Milliseconds for one test with a browser; not a measure of speed. */
export const hung = 240_000;

/** CHROMIUM_PATH, where the test run or the environment sets it. */
export const testBrowser = process.env["CHROMIUM_PATH"] ?? null;

export interface TestRenderer extends OpenRenderer {
  readonly renderer: ThumbnailRenderer;
  readonly notes: readonly string[];
}

/** @throws where there is no browser */
export async function testRenderer(options: Partial<RendererOptions> = {}): Promise<TestRenderer> {
  const notes: string[] = [];
  const opened = await openRenderer({
    runtime: await readRuntime(),
    chromiumPath: testBrowser,
    note: (line) => notes.push(line),
    limits: generousLimits,
    ...options,
  });
  if (opened.renderer === null) throw new Error(`there is no browser to test with: ${notes.join(" ")}`);
  return { ...opened, renderer: opened.renderer, notes };
}

/** The same document as in its frame, but without policy, sandbox and guard. */
export const freeDocument = (html: string): DocumentToCapture => ({
  html,
  headers: { "content-type": "text/html; charset=utf-8" },
  origin: "http://plinth.test",
  path: screenshotPath,
});

/**
 * How long a document stays open while nothing may arrive from it: several times as long as an unconfined document
 * took.
 */
export const stayMs = (delayMs = 0): number => Math.max(1_000, 4 * delayMs);

/** The console message of a document that has begun. */
export const BEGAN = "began";

/**
 * The document, with a message that it has begun. It becomes idle after that time at the earliest, `generousLimits.idleWaitMs`
 * at most.
 */
export const staying = (html: string, ms: number): string => `<script>console.log("${BEGAN}")</script>${html}<script>
  const until = performance.now() + ${ms};
  const staying = setInterval(() => {
    document.body.dataset.now = Math.random();
    if (performance.now() > until) clearInterval(staying);
  }, 50);
</script>`;

const HOST_PROGRAM = "/capture/browser-host.ts";

/** The number of processes below browser host processes that show a page. */
export const renderers = (): number =>
  processesBelow(process.pid, HOST_PROGRAM).flatMap((host) => processesBelow(host, "--type=renderer")).length;

const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("plinth-browser-host-"));
/** Folders that were on this machine before. */
const foreign = new Set(folders());

/** The folders that the browser host processes of that process, by default this one, have created since. */
export const temporaryFolders = (pid: number = process.pid): string[] =>
  folders().filter((name) => new RegExp(`^plinth-browser-host-\\d+-${pid}-`).test(name) && !foreign.has(name));

/** The number of browser host processes and their browsers. */
export const browserProcesses = (): number => below(HOST_PROGRAM) + below("plinth-browser-host-");

const below = (text: string): number => processesBelow(process.pid, text).length;

const processesBelow = (pid: number, text: string): number[] =>
  treeOf(pid).filter((each) => commandLine(each).includes(text));

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // The process has ended.
  }
}

/** Waits for a condition. @throws where it is not met within 60 s */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let looks = 0; looks < 600; looks++) {
    if (isSo()) return;
    await Bun.sleep(100);
  }
  throw new Error(`timed out while waiting until ${what}`);
}
