// Generated malformed lines for each form of the command line, against a server that counts requests; each run has
// different ones. `TEST_SAMPLES=all bun run test e2e/command-line/arguments` tries a thousand with each.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";

import { distributions, type Distribution } from "../harness/distributions.ts";
import { type Ran, runToEnd, temporaryFolder } from "../harness/process.ts";
import { takesAll, testSeed } from "../harness/test-seed.ts";
import { lines, type Catalogue, type Line } from "./generated-lines.ts";

const seed = testSeed("arguments");
/** Node takes four times as long to start. */
const counts = takesAll ? { binary: 1000, node: 1000 } : { binary: 40, node: 10 };
/** The number of further lines until each of these codes was seen, because some lines must reach the command itself. */
const more = 500;
const awaited = [0, 3];
/** Parallel lines, each with a separate server. */
const workers = 4;

const home = await temporaryFolder("arguments");
await mkdir(join(home, "bin"));
await writeFile(join(home, "report.md"), "# Report\n");
afterAll(() => rm(home, { recursive: true }));

const missing = {
  type: "about:blank",
  title: "Not found",
  detail: "There is nothing here",
  code: "not_found",
  status: 404,
};

function countingServer() {
  const counting = { requests: 0 };
  const server = Bun.serve({
    port: 0,
    fetch() {
      counting.requests++;
      return Response.json(missing, { status: 404, headers: { "content-type": "application/problem+json" } });
    },
  });
  return { counting, origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

const runLine = ({ command }: Distribution, words: readonly string[], origin: string) =>
  runToEnd([...command, ...words], {
    cwd: home,
    // The path has no program that opens a browser or an editor.
    env: { HOME: home, PATH: join(home, "bin"), SERVICE_BASE_URL: origin, SERVICE_FORMAT: "json", CI: "1" },
  });

type Outcome = Ran & { readonly requests: number };

/** The faults in how a line ended. */
function faults({ words, secret }: Line, { code, stdout, stderr, requests }: Outcome, known: Catalogue): string[] {
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  const error = errorOf(last);
  // If the line asks for text, or can do so, the error can be text.
  const isJson = !words.some((word) => word.startsWith("--format"));
  return [
    ...(String(code) in known.exitCodes ? [] : [`exit code ${code}`]),
    ...(stackTrace.test(stdout + stderr) ? ["a stack trace"] : []),
    ...((stdout + stderr).includes(secret) ? ["its secret is in the output"] : []),
    ...(code === 2 && requests > 0 ? [`${requests} requests, and exit code 2`] : []),
    ...(code === 0 && error !== null ? ["an error, and exit code 0"] : []),
    ...(code !== 0 && stdout !== "" && error?.code !== "partial_failure" ? ["a result, and it failed"] : []),
    ...(code !== 0 && isJson && error?.exitCode !== code ? ["no error object on the last line"] : []),
    ...(code !== 0 && !isJson && error === null && !stderr.includes("error: ") ? ["no error"] : []),
  ];
}

const stackTrace = /^\s+at .*:\d+:\d+|node:internal|Bun v\d|\[native code\]/m;

function errorOf(line: string): { readonly code: string; readonly exitCode: number } | null {
  if (!line.startsWith('{"error":')) return null;
  return (JSON.parse(line) as { error: { code: string; exitCode: number } }).error;
}

/** The line for a message. */
const shown = (words: readonly string[]): string =>
  JSON.stringify(words.map((word) => (word.length > 80 ? `${word.slice(0, 40)}… (${word.length})` : word)));

async function tryLines(distribution: Distribution): Promise<{ wrong: string[]; codes: Record<number, number> }> {
  const schema = await runLine(distribution, ["schema"], "http://127.0.0.1:1");
  const catalogue = JSON.parse(schema.stdout) as Catalogue;
  const waiting = fc.sample(lines(catalogue), { seed, numRuns: counts[distribution.name] + more });
  const wrong: string[] = [];
  const codes: Record<number, number> = {};
  const isEnough = (): boolean => waiting.length <= more && awaited.every((code) => codes[code] !== undefined);
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const { counting, origin, stop } = countingServer();
      while (!isEnough()) {
        const line = waiting.pop();
        if (line === undefined) break;
        counting.requests = 0;
        const outcome = { ...(await runLine(distribution, line.words, origin)), requests: counting.requests };
        codes[outcome.code] = (codes[outcome.code] ?? 0) + 1;
        const found = faults(line, outcome, catalogue);
        if (found.length > 0)
          wrong.push(`${found.join("; ")}\n  ${shown(line.words)}\n  ${outcome.stderr.slice(-300)}`);
      }
      await stop();
    }),
  );
  return { wrong, codes };
}

describe("every line ends as the table of exit codes says, and prints no secret", () => {
  // The time only limits a hang: each line has its own limit.
  for (const distribution of distributions)
    test(
      distribution.name,
      async () => {
        const { wrong, codes } = await tryLines(distribution);
        console.error(`${distribution.name}: ${JSON.stringify(codes)}`);
        expect(wrong).toEqual([]);
        // Some lines must get past the check of their flags and reach the command.
        expect(codes[2]).toBeGreaterThan(counts[distribution.name] / 4);
        for (const code of awaited) expect(codes[code] ?? 0).toBeGreaterThan(0);
      },
      600_000,
    );
});
