// Owns `bun run test [workspace …]`: every suite of every workspace on one embedded database, after
// building what they test. Suites that need a Redis server are test-redis.ts's.
import packageJson from "../package.json" with { type: "json" };
import { buildCli } from "./build-cli.ts";
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { install } from "./install.ts";
import { seconds } from "./step.ts";
import { conclude, type Count, runSuite, testFiles } from "./suite.ts";

install();
buildRuntime();
buildWeb();
buildCli();

// Not above: it needs the dependencies. It sets TEST_DATABASE_URL for the suites.
await import("../standalone/test-database.ts");

const chosen = process.argv.slice(2);
const counts: Count[] = [];
for (const folder of [...packageJson.workspaces, "scripts"]) {
  const files = chosen.length === 0 || chosen.includes(folder) ? testFiles(folder, "usual") : [];
  if (files.length === 0) continue;
  const started = performance.now();
  console.log(`\n── ${folder}`);
  const count = await runSuite(files);
  counts.push(count);
  console.log(`${folder}: ${count.passed} passed, ${count.failed} failed in ${seconds(started)} s`);
}
conclude(counts);
