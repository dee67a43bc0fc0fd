// Walks through the commands of a document as a reader does: in order, in one shell, as they are written. Knows the form of
// the documents, and of the commands only what waits for a person.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { distributions } from "./distributions.ts";
import type { Instance } from "./instance.ts";
import { clientOf, operatorOf, signIn } from "./people.ts";
import { hung, temporaryFolder, withinHung } from "./process.ts";

export interface Step {
  readonly command: string;
  /** What the lines that begin with `#` say it prints. */
  readonly prints: readonly string[];
}

interface Walked {
  /** What each command printed, as far as the walk came. */
  readonly outputs: readonly string[];
  readonly code: number;
  readonly stderr: string;
}

/** The steps in the `sh` fences of a text, and the commands in its tables where `withTables` is set. */
export const stepsOf = (text: string, { withTables = false } = {}): Step[] => {
  const places = /^```sh\n([\s\S]*?)^```$|^\|.*\|$/gm;
  return [...text.matchAll(places)].flatMap(({ 0: found, 1: fence }) =>
    fence !== undefined
      ? stepsOfFence(fence)
      : withTables
        ? [...found.matchAll(/`((?:plinth|curl) [^`]+)`/g)].map(([, command = ""]) => ({ command, prints: [] }))
        : [],
  );
};

function stepsOfFence(fence: string): Step[] {
  const found: { command: string; prints: string[] }[] = [];
  let begun: string | null = null;
  for (const line of fence.trimEnd().split("\n")) {
    if (begun === null && line.startsWith("# ")) {
      found.at(-1)?.prints.push(line.slice(2));
      continue;
    }
    const command: string = begun === null ? line : `${begun}\n${line}`;
    const goesOn = command.endsWith("\\") || command.split("'").length % 2 === 0;
    if (!goesOn) found.push({ command, prints: [] });
    begun = goesOn ? command : null;
  }
  if (begun !== null) throw new Error(`The command does not end: ${begun}`);
  return found;
}

interface Walk {
  readonly steps: readonly Step[];
  readonly instance: Instance;
  /** The origin that the document names for the instance. */
  readonly origin: string;
  /** An empty folder. */
  readonly folder: string;
}

/** Runs all commands in one shell, as a person at a terminal over SSH would, until one fails. */
async function walk({ steps, instance, origin, folder }: Walk): Promise<Walked> {
  const marker = `--- ${crypto.randomUUID()}`;
  const script = [
    "set -e",
    ...steps.flatMap(({ command }) => [`echo '${marker}'`, command.replaceAll(origin, instance.origin)]),
  ].join("\n");
  const shell = Bun.spawn(["sh", "-c", script], {
    cwd: await prepareFolder(folder, instance),
    env: {
      HOME: join(folder, "home"),
      PATH: `${join(folder, "bin")}:/usr/bin:/bin`,
      SERVICE_BASE_URL: instance.origin,
      // The format on a terminal, which a pipe is not.
      SERVICE_FORMAT: "text",
      // A browser can't be walked. Over SSH `plinth login` shows a code instead of opening one.
      SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = { stderr: "" };
  const all = Promise.all([
    shell.exited,
    new Response(shell.stdout).text(),
    collectOutput(shell.stderr, said, instance),
  ]);
  const [code, stdout] = await withinHung(all, () => `the walk hung: ${said.stderr}`);
  return { outputs: stdout.split(`${marker}\n`).slice(1), code, stderr: said.stderr.slice(-2000) };
}

/** What the reader has: a checkout with the command line built in it, the data of the instance, npx and curl. */
async function prepareFolder(folder: string, instance: Instance): Promise<string> {
  const checkout = join(folder, "checkout");
  for (const path of ["home", "bin", "checkout/cli", "checkout/data"])
    await mkdir(join(folder, path), { recursive: true });
  const [{ command }] = distributions;
  await symlink(dirname(command[0] ?? ""), join(checkout, "cli/dist"));
  await writeFile(join(checkout, "data/operator-token"), instance.operatorToken);
  // The command line was built before the tests began, so there is nothing to fetch and to build.
  await addProgram(folder, "npx", '[ "$*" = "--yes bun run build:cli" ]');
  // curl exits with 0 after an error answer unless it is told otherwise.
  await writeFile(join(folder, "home/.curlrc"), "silent\nshow-error\nfail-with-body\n");
  if (Bun.which("curl") === null)
    await addProgram(folder, "curl", `exec ${process.execPath} ${await writeFetcher(folder)} "$@"`);
  return checkout;
}

async function addProgram(folder: string, name: string, body: string): Promise<void> {
  const path = join(folder, "bin", name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}

/** As much of curl as the documents use, for machines that have none. */
async function writeFetcher(folder: string): Promise<string> {
  const path = join(folder, "fetcher.ts");
  await writeFile(
    path,
    `import { parseArgs } from "node:util";
     const options = { header: { type: "string", short: "H", multiple: true }, data: { type: "string", short: "d" },
       request: { type: "string", short: "X" } } as const;
     const { values: { header = [], data, request = "POST" }, positionals: [url = ""] } = parseArgs({ options, allowPositionals: true });
     const headers = header.map((line) => line.split(/: */, 2) as [string, string]);
     const answer = await fetch(url, { headers, ...(data === undefined ? {} : { method: request, body: data }) });
     process.stdout.write(await answer.text());
     process.exitCode = answer.ok ? 0 : 22;`,
  );
  return path;
}

/** Collects what the commands say to the person, and allows the login whose code they show. */
async function collectOutput(
  stderr: ReadableStream<Uint8Array>,
  said: { stderr: string },
  instance: Instance,
): Promise<void> {
  const decoder = new TextDecoder();
  let isAllowed = false;
  for await (const chunk of stderr) {
    said.stderr += decoder.decode(chunk, { stream: true });
    const userCode = /\b[A-Z]{4}-[A-Z]{4}\b/.exec(said.stderr)?.[0];
    if (userCode === undefined || isAllowed) continue;
    isAllowed = true;
    await allowLogin(userCode, instance);
  }
}

/** What the reader does in a browser: sign in by a link as `ada`, and allow the code. */
async function allowLogin(userCode: string, instance: Instance): Promise<void> {
  const { userId } = await operatorOf(instance).call("operator.createUser", {
    email: "ada@example.com",
    username: "ada",
  });
  const person = clientOf(instance.origin, await signIn(instance, userId));
  await person.call("oauth.describeDevice", { userCode });
  await person.call("oauth.decideDevice", { userCode, approve: true });
}

/** Tests each step of a document in an instance; `origin` is where the document's own instance is. */
export function testWalk(
  steps: readonly Step[],
  { origin, open }: Pick<Walk, "origin"> & { readonly open: () => Promise<Instance> },
): void {
  let instance: Instance;
  let folder: string;
  let walked: Walked;
  beforeAll(async () => {
    instance = await open();
    folder = await temporaryFolder("walk");
    walked = await walk({ steps, instance, origin, folder });
  }, 2 * hung);
  afterAll(async () => {
    await instance.stop();
    await rm(folder, { recursive: true, force: true });
  }, hung);

  test.each(steps.map((step, place) => [step.command, step, place] as const))("%s", (_, { prints }, place) => {
    const isLast = place === walked.outputs.length - 1;
    const why = isLast && walked.code !== 0 ? `failed with ${walked.code}: ${walked.stderr}` : "succeeded";
    expect(place < walked.outputs.length ? why : "was not reached").toBe("succeeded");
    for (const line of prints) expect(walked.outputs[place]).toContain(line.replaceAll(origin, instance.origin));
  });
}
