// `bun e2e/bench/dev-loop.ts CHECKOUT [TIMES]`: the median times of the steps of development in an installed and built
// checkout. It edits files of that checkout and restores them, so give it a clone.
import { readFile, rm, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { openBrowser } from "../harness/browser.ts";
import { until } from "../harness/events.ts";
import { cleanEnvironment, launchCommand, temporaryFolder, type Child } from "../harness/process.ts";

const checkout = resolve(process.argv[2] ?? "");
const times = Number(process.argv[3] ?? 5);
const dataDir = await temporaryFolder("dev-loop");
const port = reservePort();
const origin = `http://localhost:${port}`;
const env = { ...cleanEnvironment(), PORT: String(port), DATA_DIR: dataDir, CHROMIUM_PATH: "off" };

/** Runs a step several times and prints the median, all values in ms, and the machine's load. */
async function measure(name: string, step: (index: number) => Promise<number>): Promise<void> {
  const values: number[] = [];
  for (let index = 0; index < times; index++) values.push(Math.round(await step(index)));
  const median = values.toSorted((a, b) => a - b)[Math.floor(times / 2)];
  console.log(`${name}: ${median} ms (${values.join(", ")}; load ${loadavg()[0]?.toFixed(1)})`);
}

async function start(...kind: string[]): Promise<{ child: Child; ms: number }> {
  const startedAt = performance.now();
  const child = launchCommand([process.execPath, "scripts/start.ts", ...kind], env, { cwd: checkout });
  await until(() => child.process.exitCode !== null || child.stderr().includes("ready in"));
  if (child.process.exitCode !== null) throw new Error(child.stderr());
  return { child, ms: performance.now() - startedAt };
}

async function startAndStop(...kind: string[]): Promise<number> {
  const { child, ms } = await start(...kind);
  child.process.kill("SIGTERM");
  await child.process.exited;
  return ms;
}

/** Replaces a text in the file and returns how long it takes until `holds` is true. */
async function edit(file: string, text: string, instead: string, holds: () => Promise<unknown>): Promise<number> {
  const path = join(checkout, file);
  const before = await readFile(path, "utf8");
  if (!before.includes(text)) throw new Error(`${file} has no ${text}`);
  try {
    const startedAt = performance.now();
    await writeFile(path, before.replace(text, instead));
    await holds();
    return performance.now() - startedAt;
  } finally {
    await writeFile(path, before);
  }
}

try {
  await startAndStop();
  await measure("bun start, everything built", () => startAndStop());
  await startAndStop("dev");
  await measure("bun run dev, everything built", () => startAndStop("dev"));

  const { child } = await start("dev");
  const browser = await openBrowser();
  const page = await browser.newPage();
  const connected = page.waitForEvent("console", {
    predicate: (line) => line.text() === "[vite] connected.",
    timeout: 0,
  });
  await page.goto(`${origin}/login`, { timeout: 0 });
  await connected;
  const titled = (title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor({ timeout: 0 });
  const login = "web/src/routes/(app)/(own)/login/+page.svelte";
  await measure("Svelte file to screen", async (index) => {
    const ms = await edit(login, `text.signIn}>`, `"Sign in ${index}"}>`, () => titled(`Sign in ${index}`));
    await titled("Sign in");
    return ms;
  });
  const guide = async () => (await fetch(`${origin}/llms.txt`)).text();
  await measure("server file to answer", async (index) => {
    const text = `answer ${index}`;
    const ms = await edit("api/app.ts", "guide(llms,", `guide("${text}",`, () =>
      until(async () => (await guide()) === text),
    );
    await until(async () => !(await guide()).startsWith("answer"));
    return ms;
  });
  await browser.close();
  child.process.kill("SIGTERM");
  await child.process.exited;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
