// Every command of the catalogue in every form, with its success and every refusal it can meet, in both distributions:
// its output and exit code are those of the catalogue. A quarter of the commands in each run; plan.ts chooses their lines.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";

import { registry } from "@plinth/contract/registry";
import { scopes } from "@plinth/contract/scopes";

import { distributions, type Distribution } from "../harness/distributions.ts";
import type { Instance } from "../harness/instance.ts";
import { loginToken } from "../harness/oauth.ts";
import { requireNoSecret } from "../harness/tracked-secrets.ts";
import type { NamedOperation } from "../harness/call.ts";
import { attemptAt } from "../harness/error-cases.ts";
import { hung, temporaryFolder } from "../harness/process.ts";
import { sharedInstance } from "../harness/shared.ts";
import { createFixtures } from "../harness/fixtures.ts";
import { sample, testRandom } from "../harness/test-seed.ts";
import { isRefusal, once, type Case, type Stage } from "./cases.ts";
import { readCatalogue, type Catalogue, type CatalogueCommand } from "./catalogue.ts";
import { faultsOf } from "./expectations.ts";
import { lineRunner, shown, type RunLine } from "./line.ts";
import { plan, type Planned } from "./plan.ts";
import { startStandIns } from "./stand-ins.ts";
import { table } from "./table.ts";

setDefaultTimeout(3 * hung);

/** The seed of the run chooses a quarter of the commands, and one distribution for each; TEST_SAMPLES=all runs all in both. */
const paths = Object.keys(table);
const chosen = sample(paths, Math.ceil(paths.length / 4), testRandom("commands"));
const isRunBy = (path: string, distribution: Distribution): boolean =>
  sample(distributions, 1, testRandom("commands", path)).includes(distribution);

/** Parallel lines. */
const atOnce = 4;

let folder: string;
let instance: Instance;
let stage: Stage;
let run: RunLine;
let lines = 0;
const catalogues = new Map<string, Catalogue>();

beforeAll(async () => {
  folder = await temporaryFolder("lines");
  run = lineRunner(folder);
  instance = await sharedInstance();
  const fixtures = await createFixtures(instance);
  const logins = new Map<string, Promise<string>>();
  const login = (session: string): Promise<string> => {
    const made = logins.get(session) ?? loginToken(instance, session, scopes);
    logins.set(session, made);
    return made;
  };
  const as = async (token: string) => ({ SERVICE_TOKEN: token.includes("=") ? await login(token) : token });
  const read: NamedOperation = { ...registry["artifact.get"], name: "artifact.get" };
  const expired = once(async () => (await attemptAt(fixtures, read, "token_expired")).token);
  stage = { fixtures, standIns: startStandIns(), folder, as, expired, run: (line) => run(distributions[0], line) };
  for (const distribution of distributions) catalogues.set(distribution.name, await readCatalogue(run, distribution));
}, hung);

afterAll(async () => {
  await stage.standIns.stop();
  await instance.stop();
  await rm(folder, { recursive: true });
  console.log(`${lines} lines`);
}, hung);

for (const distribution of distributions) {
  test(`${distribution.name}: the matrix has every command of the catalogue and no other`, () => {
    const known = catalogueOf(distribution).commands.map(({ path }) => path);
    expect(Object.keys(table).toSorted(), "the rows of table.ts").toEqual(known.toSorted());
  });

  for (const path of chosen.filter((one) => isRunBy(one, distribution)))
    test(`${distribution.name}: ${path}`, async () => {
      const catalogue = catalogueOf(distribution);
      const command = catalogue.commands.find((one) => one.path === path);
      if (command === undefined) throw new Error("the catalogue has no such command");
      const cases = table[path]?.(stage, command) ?? [];
      expect(unmet(cases, command)).toEqual([]);
      const runs = plan(cases, distribution.name, command, catalogue);
      const complaints: string[] = [];
      await each(runs, async ({ test: one, form }) => {
        const made = await one.line();
        const line = { ...made, words: [...made.words, ...formWords[form]] };
        const ran = await run(distribution, line);
        lines++;
        requireNoSecret(`standard error of ${shown(line)}`, ran.stderr);
        const faults = faultsOf(ran, one, form, command, catalogue);
        if (faults.length > 0)
          complaints.push(`${one.name}, ${form}: ${faults.join("; ")}\n  ${shown(line)}\n${indented(ran)}`);
      });
      expect(complaints.join("\n")).toBe("");
      expect(stage.standIns.trapped()).toEqual([]);
    });
}

/** Codes that a command without requests can hardly meet. */
const rare: readonly string[] = ["internal", "interrupted"];

/** The codes of a command in the catalogue for which no case exists. */
function unmet(cases: readonly Case[], { errors, endpoint }: CatalogueCommand): string[] {
  const met = new Set<string>(cases.flatMap(({ outcome }) => (isRefusal(outcome) ? [outcome.code] : [])));
  return errors.filter((code) => !met.has(code) && !(endpoint === null && rare.includes(code)));
}

const formWords = { text: ["--format=text"], json: ["--format=json"], ndjson: ["--ndjson"] } as const;

function catalogueOf({ name }: Distribution): Catalogue {
  const catalogue = catalogues.get(name);
  if (catalogue === undefined) throw new Error(`${name} gave no catalogue`);
  return catalogue;
}

const indented = ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): string =>
  `  exit ${code}\n  out: ${stdout.slice(0, 1500)}\n  err: ${stderr.slice(0, 1500)}`;

/** Does the work for each run, a few at a time. */
async function each(runs: readonly Planned[], work: (run: Planned) => Promise<void>): Promise<void> {
  const waiting = [...runs];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
