// `bun run screenshots [NAME …] [--to FOLDER]`: takes the screenshots of README.md again, light and dark, of a new
// instance with the demo workspace.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

import type { Browser } from "playwright-core";

import { databaseUrlOf } from "../harness/embedded-database.ts";
import { openBrowser, openContext } from "../harness/browser.ts";
import { clientOf } from "../harness/people.ts";
import { hung, repository, withScreenshots } from "../harness/process.ts";
import { startSelling } from "../harness/selling.ts";
import { shots, type Shot } from "./shots.ts";
import { createDemoWorkspace, type DemoWorkspace } from "./demo-workspace.ts";

/** The limit for a file: the README has a dozen of them, in two colour schemes each. */
const mostBytes = 150_000;
const viewport = { width: 1280, height: 760 };
/** The number of colours of a screenshot that would otherwise be too large. */
const colors = 256;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: "string" } } });
const folder = values.to ?? join(repository, "docs/screenshots");
await mkdir(folder, { recursive: true });
const wanted = shots.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const selling = await startSelling({ env: withScreenshots, port: 3000 });
const { instance } = selling;
const browser = await openBrowser();
try {
  const workspace = await createDemoWorkspace({ ...instance, databaseUrl: databaseUrlOf(instance.dataDir) });
  await untilCaptured(instance.origin, workspace);
  for (const shot of wanted)
    for (const colorScheme of ["light", "dark"] as const) {
      const bytes = await take(browser, instance.origin, workspace, shot, colorScheme);
      const name = `${shot.name}-${colorScheme}.png`;
      if (bytes.byteLength > mostBytes)
        throw new Error(`${name} has ${bytes.byteLength} bytes, more than ${mostBytes}`);
      await writeFile(join(folder, name), bytes);
      console.error(`${name}: ${bytes.byteLength} bytes`);
    }
} finally {
  await browser.close();
  await selling.stop();
}

/** Waits until each artifact has its screenshot. */
async function untilCaptured(origin: string, { session }: DemoWorkspace): Promise<void> {
  const client = clientOf(origin, session);
  const { workspaces } = await client.call("workspace.list", {});
  const team = workspaces.find(({ slug }) => slug === "northlight");
  const { artifacts } = await client.call("workspace.artifacts", { workspaceId: team?.workspaceId ?? "", limit: 50 });
  const until = Date.now() + 3 * hung;
  for (const { artifactId, slug } of artifacts)
    for (;;) {
      const answer = await fetch(`${origin}/api/artifacts/${artifactId}/thumbnail`, { headers: { cookie: session } });
      await answer.body?.cancel();
      if (answer.headers.get("x-thumbnail") === "ready") break;
      if (Date.now() > until) throw new Error(`${slug} has no screenshot: ${answer.headers.get("x-thumbnail")}`);
      await Bun.sleep(500);
    }
}

async function take(
  chromium: Browser,
  origin: string,
  { session }: DemoWorkspace,
  { path, isSignedIn = true, ready }: Shot,
  colorScheme: "light" | "dark",
): Promise<Uint8Array> {
  const options = { colorScheme, viewport, reducedMotion: "reduce" } as const;
  const context = await openContext(chromium, origin, isSignedIn ? session : undefined, options);
  context.setDefaultTimeout(hung);
  try {
    const page = await context.newPage();
    await page.goto(path, { waitUntil: "load" });
    await ready(page);
    // Scripts in frames (diagrams, charts) do not report that they are done.
    await page.waitForTimeout(2500);
    const screenshot = new Bun.Image(await page.screenshot({ animations: "disabled", caret: "hide" }));
    const whole = await screenshot.png({ compressionLevel: 9 }).bytes();
    if (whole.byteLength <= mostBytes) return whole;
    // A screenshot with many thumbnails, which lose little by this.
    return await screenshot.png({ palette: true, colors, compressionLevel: 9 }).bytes();
  } finally {
    await context.close();
  }
}
