// Owns `bun run test [what …]`: the test files that are named, or all that npm's packages are enough for; with `--all`
// everything that a change has to pass. They share one embedded PostgreSQL; what they test is built before.
import { parseArgs } from "node:util";

import { buildCli } from "./build-cli.ts";
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { check } from "./check.ts";
import { install } from "./install.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { conclude } from "./step.ts";

const usage = `usage: bun run test [--all] [-t NAME] [folder, file or part of its path …]

  --all     also the suites that take redis-server, nginx, Firefox and WebKit, and bun run check
  -t NAME   only tests whose name matches this regular expression
  --update-timings
            writes how long each file took, by which the longest begin first`;

install();
// Not above: it needs the dependencies.
const { needsOf, runSuite, testFiles } = await import("./suite.ts");

const { values, positionals: chosen } = parseArgs({
  options: {
    all: { type: "boolean" },
    help: { type: "boolean" },
    name: { type: "string", short: "t" },
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

/** Folders whose tests run what is built. */
const need = (folders: RegExp): boolean => files.some((file) => folders.test(file));
if (need(/^(api|domain|e2e|standalone|worker)\//) || files.some(needsOf)) buildRuntime();
if (need(/^(e2e|web)\//) || files.some(needsOf)) buildWeb();
if (need(/^(cli|e2e|scripts)\//)) buildCli();

prepareDatabase();
// It sets TEST_DATABASE_URL for the suites.
await import("../standalone/test-database.ts");
const redis = files.some((file) => needsOf(file) === "redis")
  ? await (await import("../e2e/harness/redis.ts")).startRedis()
  : undefined;
if (redis) process.env.REDIS_URL = redis.url;
try {
  const options = [
    ...(values.name === undefined ? [] : ["-t", values.name]),
    ...(values["update-timings"] === true ? ["--update-timings"] : []),
  ];
  const counts = [await runSuite(files, options)];
  if (values.all === true) counts.push(await check());
  conclude(counts);
} finally {
  await redis?.end();
}
