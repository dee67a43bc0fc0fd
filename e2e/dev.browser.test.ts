// `bun run dev` on a copy of the checkout whose files the tests edit: pages work as in a built instance, a Svelte file
// is replaced in the open page, and a saved server file takes effect.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { heldMainThread } from "@plinth/contract/served-request";
import { copyPreparedDatabase } from "@plinth/support/prepared-database";
import { reservePort } from "@plinth/support/reserved-port";
import type { Browser, Page } from "playwright-core";

import { openBrowser, untilScriptRuns } from "./harness/browser.ts";
import { until } from "./harness/events.ts";
import { requireShortRequests } from "./harness/main-thread.ts";
import { createArtifact, createPerson, createProject } from "./harness/people.ts";
import {
  cleanEnvironment,
  hung,
  launchCommand,
  repository,
  temporaryFolder,
  withinHung,
  type Child,
} from "./harness/process.ts";

/**
 * Longer than any wait inside, whose error says what is missing; Bun kills the children of a test that takes longer.
 */
const testLimit = 2 * hung;

const port = reservePort();
const origin = `http://localhost:${port}`;
const checkout = await temporaryFolder("dev");
const dataDir = join(checkout, "data");
let dev: Child;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  await copyCheckout();
  dev = launchCommand(
    [process.execPath, "scripts/start.ts", "dev"],
    { ...cleanEnvironment(), PORT: String(port), DATA_DIR: dataDir, CHROMIUM_PATH: "off", RENDER_WAIT_MS: "60000" },
    { cwd: checkout },
  );
  browser = await openBrowser();
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(hung);
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (line) => {
    // Chromium does not know every feature that a frame's Permissions-Policy turns off.
    if (line.type() === "error" && !line.text().includes("Permissions-Policy")) complaints.push(line.text());
  });
  await said("ready in");
}, 2 * hung);

afterAll(async () => {
  await browser.close();
  dev.process.kill("SIGTERM");
  const status = await withinHung(dev.process.exited, () => dev.stderr());
  await rm(checkout, { recursive: true });
  expect(status).toBe(0);
  requireShortRequests(dev.stderr());
}, hung);

test(
  "the printed link signs in, and an artifact page shows its frame, without an error in the console",
  async () => {
    const [link = ""] = /http:\S+\/login#\S+/.exec(dev.stderr()) ?? [];
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/workspaces/new");
    const operatorToken = (await readFile(join(dataDir, "operator-token"), "utf8")).trim();
    const person = await createPerson({ origin, operatorToken });
    const { slug } = await createProject(person);
    const artifact = await createArtifact(person, slug, { content: "# From a frame\n" });
    await page.goto(`${origin}/${person.username}/${slug}/${artifact.slug}`);
    await page.frameLocator("iframe").getByRole("heading", { name: "From a frame" }).waitFor();
    expect(complaints).toEqual([]);
    expect(dev.stderr().split("\n").filter(isFault)).toEqual([]);
  },
  testLimit,
);

test(
  "pages, clients that leave early and refused requests: each gets its answer, and nothing is logged as a fault",
  async () => {
    const printed = dev.stderr().length;
    const refused = async () => (await fetch(`${origin}/api/api-keys`, { method: "POST", ...emptyBody })).status;
    for (let round = 0; round < 20; round++) {
      const leaving = new AbortController();
      const left = fetch(origin, { signal: leaving.signal }).then(
        () => undefined,
        () => undefined,
      );
      setTimeout(() => leaving.abort(), round);
      const pages = ["/", "/login", "/llms.txt"].map(async (path) => (await fetch(origin + path)).status);
      expect(await Promise.all([...pages, refused(), refused()])).toEqual([200, 200, 200, 401, 401]);
      await left;
    }
    const faults = dev.stderr().slice(printed).split("\n").filter(isFault);
    expect(faults).toEqual([]);
  },
  testLimit,
);

test(
  "a server file that changes again and again: every request is answered",
  async () => {
    const statuses = new Map<number, number>();
    const edited = new AbortController();
    const ask = async (): Promise<void> => {
      while (!edited.signal.aborted) {
        const { status } = await fetch(`${origin}/api/openapi.json`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const asking = [ask(), ask(), ask()];
    for (const [before, after] of [
      ["guide(llms,", 'guide(llms + "1",'],
      ['guide(llms + "1",', 'guide(llms + "2",'],
      ['guide(llms + "2",', "guide(llms,"],
    ] as const) {
      const printed = dev.stderr().length;
      await edit("api/app.ts", before, after);
      await said("Restarted in", printed);
    }
    edited.abort();
    await Promise.all(asking);
    expect([...statuses.keys()]).toEqual([200]);
  },
  testLimit,
);

test(
  "a changed Svelte file is replaced in the open page, which keeps its state",
  async () => {
    await openHot("/workspaces/new");
    // Vite drops a module change while the page still loads the module.
    await untilScriptRuns(page);
    await page.evaluate(() => (document.body.dataset["kept"] = "yes"));
    await edit(
      "web/src/routes/(app)/(own)/workspaces/new/+page.svelte",
      "{text.chooseUsername}",
      '"Choose another name"',
    );
    await page.getByRole("heading", { name: "Choose another name" }).waitFor();
    expect(await page.evaluate(() => document.body.dataset["kept"])).toBe("yes");
  },
  testLimit,
);

test(
  "a page without SvelteKit's client loads again when its Svelte file changes",
  async () => {
    await openHot("/");
    await edit("web/src/routes/(app)/+page.svelte", "<h1 ", '<h1 title="changed" ');
    await page.getByTitle("changed").waitFor();
  },
  testLimit,
);

test(
  "a changed server file answers from the next request on; one that does not compile is 503 until it is mended",
  async () => {
    const text = async () => (await fetch(`${origin}/llms.txt`)).text();
    const restarts = () => dev.stderr().split("Restarted in").length;
    const before = restarts();
    await edit("api/app.ts", "guide(llms,", 'guide("first change",');
    await until(async () => (await text()) === "first change");
    await until(() => restarts() > before);

    const printed = dev.stderr().length;
    await edit("api/app.ts", '"first change"', '"second change');
    await said("The next change starts it again.", printed);
    expect((await fetch(`${origin}/llms.txt`)).status).toBe(503);
    await edit("api/app.ts", '"second change', '"third change"');
    await until(async () => (await text()) === "third change");
  },
  testLimit,
);

/** Warnings and errors of Kit, Vite or the program. */
const isFault = (line: string): boolean =>
  !line.includes(heldMainThread) && /\[sveltekit\]|"level":"(?:warn|error)"|\berror\b.*\bat\b/i.test(line);

const emptyBody = { body: "{}", headers: { "content-type": "application/json" } };

/** The sources of the program, with the installed and built parts of the checkout. */
async function copyCheckout(): Promise<void> {
  for (const folder of "api contract platform db e2e/support domain runtime scripts server web worker".split(" ")) {
    await cp(join(repository, folder), join(checkout, folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\/web\/(?:build|\.svelte-kit)(?:\/|$)/.test(path),
    });
  }
  for (const folder of ["cli", "e2e"]) {
    await mkdir(join(checkout, folder), { recursive: true });
    await cp(join(repository, folder, "package.json"), join(checkout, folder, "package.json"));
  }
  for (const file of ["bun.lock", "bunfig.toml", "package.json", "tsconfig.json"])
    await cp(join(repository, file), join(checkout, file));
  await symlink(join(repository, "node_modules"), join(checkout, "node_modules"));
  await mkdir(dataDir);
  await copyPreparedDatabase(dataDir);
}

/** Replaces a text that occurs once in a file of the copy, at once, so that nothing reads an empty file. */
async function edit(file: string, text: string, instead: string): Promise<void> {
  const path = join(checkout, file);
  const content = await readFile(path, "utf8");
  expect(content.split(text)).toHaveLength(2);
  const whole = join(checkout, "edited");
  await writeFile(whole, content.replace(text, instead));
  await rename(whole, path);
}

/** Waits until it has printed that, after the first `from` characters. */
const said = (text: string, from = 0) =>
  until(() => {
    if (dev.process.exitCode !== null) throw new Error(`it ended (${dev.process.exitCode})\n${dev.stderr()}`);
    return dev.stderr().includes(text, from);
  });

/** Opens a page and waits until Vite's console message says that it receives changes. */
async function openHot(path: string): Promise<void> {
  const connected = page.waitForEvent("console", (line) => line.text() === "[vite] connected.");
  await page.goto(origin + path);
  await connected;
}
