// `bun run test [what …]`: runs the given test files, or all that need only npm packages; with `--all` everything that
// a change must pass. They share one embedded PostgreSQL. The programs that they test are built first.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

import { buildCli } from "./build-cli.ts";
import { buildClient } from "./build-client.ts";
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { check } from "./check.ts";
import { install } from "./install.ts";
import { endLeftovers, markRun } from "./leftovers.ts";
import { requirePinnedBun } from "./pinned-bun.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { conclude, type Count, root, seconds } from "./step.ts";

const usage = `usage: bun run test [options] [folder, file or part of its path …]

  --all             also the suites that take redis-server, radosgw, nginx, Firefox and WebKit, and bun run check; a test
                    of a sample runs whole if what it covers changed since its last whole run, as far as its time allows
                    (scripts/sampled-sets.ts)
  -t NAME           only tests whose name matches this regular expression
  --repeat N        N times, the files in another order each time; the order's seed is printed
  --seed S          the files in the order of this seed
  --under-load      with a program for each processor that does nothing but compute
  --update-timings  writes how long each file took, by which the longest begin first

KEEP_DATABASE=1 keeps the databases and says where they are, HEADED=1 opens browsers on the screen,
LOG_SQL=1 prints each statement.`;

await requirePinnedBun();
install();
// Imported here because it requires the dependencies.
const { needsOf, runSuite, testFiles } = await import("./suite.ts");
const { chooseWhole, recordWhole } = await import("./sampled-sets.ts");

const { values, positionals: chosen } = parseArgs({
  options: {
    all: { type: "boolean" },
    help: { type: "boolean" },
    name: { type: "string", short: "t" },
    repeat: { type: "string", default: "1" },
    seed: { type: "string" },
    "under-load": { type: "boolean" },
    "update-timings": { type: "boolean" },
  },
  allowPositionals: true,
});
if (values.help) {
  console.log(usage);
  process.exit();
}

const isChosen = (file: string): boolean =>
  chosen.length === 0
    ? values.all === true || needsOf(file) === undefined
    : chosen.some((what) => file.includes(what.replace(/^\.\//, "")));
const files = testFiles().filter(isChosen);
if (files.length === 0) {
  console.error(`No test file matches ${chosen.join(" ")}.`);
  process.exit(1);
}

/** Folders whose tests run built programs. */
const need = (folders: RegExp): boolean => files.some((file) => folders.test(file));
if (need(/^(api|cli\/service-tests|domain|e2e(?!\/support)|runtime|server|worker)\//) || files.some(needsOf))
  buildRuntime();
if (need(/^(cli\/service-tests|e2e(?!\/support)|web)\//) || files.some(needsOf)) buildWeb();
if (need(/^(cli|e2e(?!\/support)|scripts)\//)) {
  buildCli();
  buildClient();
}

// Every developer tests with the same browser, and a headless shell opens a page in less than half the time of a full
// browser.
const hasPackagedBrowser = process.platform === "linux" && process.arch === "x64" && process.env["HEADED"] !== "1";
if (hasPackagedBrowser) process.env["CHROMIUM_PATH"] ??= "package";

prepareDatabase();
// It sets TEST_DATABASE_URL for the suites.
await import("../server/test/database.ts");
markRun();
const redis = files.some((file) => needsOf(file) === "redis")
  ? await (await import("../e2e/harness/redis.ts")).startRedis()
  : undefined;
if (redis) process.env.REDIS_URL = redis.url;
const s3 = files.some((file) => needsOf(file) === "s3")
  ? await (await import("../e2e/harness/radosgw.ts")).startRadosGateway()
  : undefined;
if (s3) process.env["TEST_S3_URL"] = s3.url;
const endLoad = values["under-load"] === true ? startLoad() : undefined;
const counts: Count[] = [];
const failures: string[] = [];
try {
  const options = [
    ...(values.name === undefined ? [] : ["-t", values.name]),
    ...(values["update-timings"] === true ? ["--update-timings"] : []),
  ];
  const times = Number(values.repeat);
  for (let round = 1; round <= times; round++) {
    const seed = values.seed ?? (times > 1 ? String(Math.floor(Math.random() * 2 ** 31)) : undefined);
    if (seed !== undefined) console.log(`\nround ${round} of ${times}, files in the order of --seed ${seed}`);
    const started = performance.now();
    counts.push(...(await runFiles(options, seed === undefined ? undefined : Number(seed))));
    console.log(`\ntests: ${seconds(started)} s`);
  }
  if (values.all === true) {
    const started = performance.now();
    counts.push(await check());
    console.log(`check: ${seconds(started)} s`);
  }
} finally {
  endLoad?.();
  await redis?.end();
  await s3?.end();
}
const left = await endLeftovers();
for (const { pid, command } of left) console.log(`\nProcess ${pid} outlived its test: ${command}`);
if (left.length > 0) counts.push({ passed: 0, failed: 1 });
// At the very end, because a log of the run may keep only its end.
for (const failure of failures) console.log(`\n${failure}`);
conclude(counts);

/** Runs the files, those of `--all` whose samples do not suffice in a run of their whole sets. */
async function runFiles(options: readonly string[], seed: number | undefined): Promise<Count[]> {
  const takesAll = process.env["TEST_SAMPLES"] === "all";
  const chosenWhole = !takesAll && values.all === true ? chooseWhole(files, dayOfLastCommit()) : null;
  const whole = takesAll ? files : (chosenWhole?.whole ?? []);
  const rest = files.filter((file) => !whole.includes(file));
  const outcomes: Count[] = [];
  const run = async (some: readonly string[], isWhole = false) => {
    const outcome = await runSuite(some, { options, seed, isWhole });
    outcomes.push(outcome);
    failures.push(...outcome.failures);
    return outcome;
  };
  if (rest.length > 0) await run(rest);
  if (whole.length > 0) {
    if (!takesAll) console.log(`\n${whole.length} tests run whole, because what they cover changed:\n${listed(whole)}`);
    const outcome = await run(whole, true);
    // A run of some tests of a file says nothing of the others, and a record in CI has no one to commit it.
    if (values.name === undefined && process.env["CI"] === undefined) {
      const passed = whole.filter((file) => !outcome.failedFiles.includes(file));
      const day = new Date().toISOString().slice(0, 10);
      recordWhole(new Map(passed.map((file) => [file, outcome.secondsOf.get(file) ?? 0])), day);
    }
  }
  if (chosenWhole !== null) {
    const { sampled, overdue } = chosenWhole;
    if (sampled.length > 0)
      console.log(`\n${sampled.length} more ran by samples, although what they cover changed:\n${listed(sampled)}`);
    for (const file of overdue)
      failures.push(`(fail) ${file} was not whole for too long: TEST_SAMPLES=all bun run test ${file}`);
    outcomes.push({ passed: 0, failed: overdue.length });
  }
  return outcomes;
}

// A function declaration: the calls above run before this line.
function listed(tests: readonly string[]): string {
  return tests.map((file) => `  ${file}`).join("\n");
}

function dayOfLastCommit(): string {
  return Bun.spawnSync(["git", "log", "-1", "--format=%cs"], { cwd: root }).stdout.toString().trim();
}

/** Returns a function that ends the load. */
function startLoad(): () => void {
  const loads = Array.from({ length: availableParallelism() }, () =>
    Bun.spawn([process.execPath, "-e", "for (;;) Math.sqrt(2)"], { stdio: ["ignore", "ignore", "ignore"] }),
  );
  return () => {
    for (const load of loads) load.kill("SIGKILL");
  };
}
