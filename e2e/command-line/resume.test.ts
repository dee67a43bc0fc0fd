// A push of many files that is killed and run again, against a real instance, alternately by the compiled binary and by
// the script for Node. Every file is published exactly once in the end, wherever the push was killed.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { distributions } from "../harness/distributions.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, fresh, type Person } from "../harness/people.ts";
import { hung, launch, temporaryFolder, withinHung, type Child } from "../harness/process.ts";
import { sharedInstance } from "../harness/shared.ts";
import { sample, testRandom } from "../harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const count = 40;
/** How often each push is killed before it can finish. */
const cuts = 2;

let instance: Instance;
/**
 * A proxy before the instance: a request held there never reaches the instance, so that a push cannot finish before it
 * is killed.
 */
let gate: ReturnType<typeof Bun.serve>;
let isHeld: (body: string) => boolean = () => false;
let person: Person;
let home: string;
let runs = 0;

beforeAll(async () => {
  instance = await sharedInstance();
  gate = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: passOn });
  person = await createPerson(instance);
  home = await temporaryFolder("resume");
}, hung);
afterAll(async () => {
  await gate.stop(true);
  await instance.stop();
  await rm(home, { recursive: true, force: true });
}, hung);

async function passOn({ url, method, headers, body: sent, signal }: Request): Promise<Response> {
  const { pathname, search } = new URL(url);
  const body = sent === null ? null : await new Response(sent).text();
  if (body !== null && isHeld(body))
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("it was cut off"))));
  return fetch(`${instance.origin}${pathname}${search}`, { method, headers, body, decompress: false });
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface PushOptions {
  /** Sent once, when standard error matches this. */
  readonly at?: RegExp;
  readonly signal?: NodeJS.Signals;
  readonly meanwhile?: () => void;
  /** The origin of the instance, if not behind the gate. */
  readonly origin?: string;
}

/** Pushes the folder with the other program each time. */
async function push(project: string, words: readonly string[], options: PushOptions = {}): Promise<Ended> {
  const { at, signal, meanwhile, origin = gate.url.origin } = options;
  const { command: program } = distributions[runs++ % distributions.length] ?? distributions[0];
  const line = ["push", "--project-slug", project, "--create-project", "-r", "docs", "--format", "json", ...words];
  const child = Bun.spawn([...program, ...line], {
    cwd: home,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      SERVICE_BASE_URL: origin,
      SERVICE_TOKEN: person.token,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  let hasPrinted = false;
  const listening = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      stderr += decoder.decode(chunk, { stream: true });
      if (hasPrinted || !at?.test(stderr)) continue;
      hasPrinted = true;
      if (signal) child.kill(signal);
      meanwhile?.();
    }
  })();
  const all = Promise.all([child.exited, new Response(child.stdout).text(), listening]);
  const [, stdout] = await withinHung(all, () => `push hung: ${stderr}`);
  return { code: child.exitCode, stdout, stderr };
}

const contentOf = (n: number, edition: number): string => `# File ${n}\n\nEdition ${edition}, ${"text ".repeat(n)}\n`;

async function writeFiles(edition: number): Promise<void> {
  await mkdir(join(home, "docs/more"), { recursive: true });
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      writeFile(join(home, n % 2 === 0 ? "docs" : "docs/more", `file-${n}.md`), contentOf(n, edition)),
    ),
  );
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The hashes of all versions by slug, the first one first. */
async function published(project: string): Promise<Record<string, string[]>> {
  const { client } = person;
  const found: Record<string, string[]> = {};
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(cursor);
    for (const { artifactId, slug } of page.artifacts) {
      const { versions } = await client.call("version.list", { artifactId, limit: 100 });
      if (found[slug]) throw new Error(`${slug} is there twice`);
      found[slug] = versions.map((version) => version.sha256).toReversed();
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;

  function list(from: string | null) {
    return client.call("artifact.list", { project, limit: 100, ...(from !== null && { cursor: from }) });
  }
}

const expected = (...editions: readonly number[]): Record<string, string[]> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`file-${n}`, editions.map((edition) => sha256(contentOf(n, edition)))]),
  );

/** The number of files that have all their editions. */
async function doneOf(project: string, editions: number): Promise<number> {
  const hashes = Object.values(await published(project));
  return hashes.filter(({ length }) => length === editions).length;
}

/** Kills the push of an edition at random places, then runs it to its end. */
async function cutOffAndResume(project: string, words: readonly string[], edition = 1): Promise<Ended> {
  // One of the last files passes only at the end, so no earlier push can have finished.
  isHeld = (body) => body.includes(`# File ${count - 1}\\n`);
  try {
    for (let cut = 0; cut < cuts; cut++) {
      const place = 1 + Math.floor(Math.random() * (count - 5));
      const at = new RegExp(`^${place}/${count} `, "m");
      const { code, stderr } = await push(project, words, { at, signal: "SIGKILL" });
      // A killed process has no exit status.
      expect({ place, code, stderr: code === null ? "" : stderr }).toEqual({ place, code: null, stderr: "" });
      expect(await doneOf(project, edition)).toBeLessThan(count);
    }
  } finally {
    isHeld = () => false;
  }
  return push(project, words);
}

interface Results {
  readonly results: readonly { readonly file: string; readonly action: string }[];
}
const actionsOf = ({ stdout }: Ended): string[] => [
  ...new Set((JSON.parse(stdout) as Results).results.map(({ action }) => action)),
];
const notes = async (): Promise<string[]> => readdir(join(home, ".local/state/plinth/pushes"));

describe("killed and run again", () => {
  // One by the seed of the run; `TEST_SAMPLES=all bun run test e2e/command-line/resume` has all.
  for (const words of sample([[], ["--ensure"], ["--concurrency", "16"]], 1, testRandom("resume"))) {
    test(`push ${words.join(" ")}: every file once, nothing failed, no journal left`, async () => {
      const project = fresh("resume");
      await writeFiles(1);
      const ended = await cutOffAndResume(project, words);
      expect({ code: ended.code, stderr: ended.code === 0 ? "" : ended.stderr }).toEqual({ code: 0, stderr: "" });
      // A folder's files that arrived are found by their paths; the one that was held is created now.
      expect(actionsOf(ended)).toContain("created");
      expect(["created", "unchanged"]).toEqual(expect.arrayContaining(actionsOf(ended)));
      expect((JSON.parse(ended.stdout) as Results).results).toHaveLength(count);
      expect(await published(project)).toEqual(expected(1));
      expect(await notes()).toEqual([]);
    });
  }

  test("push --ensure of changed files: one new version each", async () => {
    const project = fresh("resume");
    await writeFiles(1);
    expect((await push(project, [])).code).toBe(0);
    await writeFiles(2);
    const ended = await cutOffAndResume(project, ["--ensure"], 2);
    expect({ code: ended.code, stderr: ended.code === 0 ? "" : ended.stderr }).toEqual({ code: 0, stderr: "" });
    expect(await published(project)).toEqual(expected(1, 2));
    const again = await push(project, ["--ensure"]);
    expect(actionsOf(again)).toEqual(["unchanged"]);
    expect(await published(project)).toEqual(expected(1, 2));
  });

  test("files that changed in between: new versions of those that were published, with --ensure", async () => {
    const project = fresh("resume");
    await writeFiles(1);
    await push(project, ["--ensure"], { at: new RegExp(`^30/${count} `, "m"), signal: "SIGKILL" });
    await writeFiles(2);
    expect((await push(project, ["--ensure"])).code).toBe(0);
    const found = await published(project);
    expect(Object.keys(found)).toHaveLength(count);
    const [once, twice] = [expected(2), expected(1, 2)];
    for (const [slug, versions] of Object.entries(found))
      expect(versions).toEqual((versions.length === 1 ? once : twice)[slug] ?? []);
    expect(Object.values(found).filter(({ length }) => length === 2).length).toBeGreaterThanOrEqual(30);
  });
});

test("Ctrl-C says what is done, and the next run does the rest", async () => {
  const project = fresh("resume");
  await writeFiles(1);
  for (let run = 0; run < distributions.length; run++) {
    const { code, stdout, stderr } = await push(project, [], {
      at: new RegExp(`^20/${count} `, "m"),
      signal: "SIGINT",
    });
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toMatch(/^(?:\d+ created, )?(?:\d+ unchanged, )?\d+ not sent$/m);
  }
  expect((await push(project, [])).code).toBe(0);
  expect(await published(project)).toEqual(expected(1));
});

test("a push outlives the server: it waits until that is back, and nothing is lost or there twice", async () => {
  const dataDir = await temporaryFolder("data");
  const first = await startInstance({ dataDir });
  const before = { instance, person };
  let second: Child | null = null;
  try {
    instance = first;
    person = await createPerson(first);
    const project = fresh("resume");
    await writeFiles(1);
    const ended = await push(project, [], {
      origin: first.origin,
      at: new RegExp(`^20/${count} `, "m"),
      meanwhile: () =>
        void first.kill().then(() => {
          second = launch(dataDir, { PORT: String(first.port), PUBLIC_URL: first.origin });
        }),
    });
    expect({ code: ended.code, stderr: ended.code === 0 ? "" : ended.stderr }).toEqual({ code: 0, stderr: "" });
    expect(ended.stderr).toContain("could not be reached; trying again");
    expect(await published(project)).toEqual(expected(1));
  } finally {
    ({ instance, person } = before);
    const child = second as Child | null;
    child?.process.kill("SIGTERM");
    await child?.process.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
});
