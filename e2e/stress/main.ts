// `bun run stress <name> [FOLDER] [--count N] [--seed S] [--only FAMILY] [--screenshots]`: runs a stress test in full and
// prints its seed and outcome. FOLDER is relative to the repository.
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { repository } from "../harness/process.ts";
import { newSeed, type StressTest } from "./stress-test.ts";
import { addresses } from "./addresses.ts";
import { backup } from "./backup.ts";
import { busy } from "./busy.ts";
import { bystander } from "./bystander.ts";
import { crash } from "./crash.ts";
import { databaseRestart } from "./database-restart.ts";
import { databaseStopped } from "./database-stopped.ts";
import { diskFull } from "./disk-full.ts";
import { documents } from "./documents.ts";
import { fuzz } from "./fuzz.ts";
import { hostile } from "./hostile.ts";
import { hostileScreenshots } from "./hostile-screenshots.ts";
import { pages } from "./pages.ts";
import { proof } from "./hostile-proof.ts";
import { jobsTwice } from "./jobs-twice.ts";
import { leases } from "./leases.ts";
import { mainThread, mainThreadWorst } from "./main-thread.ts";
import { mcpFuzz } from "./mcp-fuzz.ts";
import { mutants } from "./mutants.ts";
import { races } from "./races.ts";
import { redisAway } from "./redis-away.ts";
import { retention } from "./retention.ts";
import { revocations } from "./revocations.ts";
import { sigterm } from "./sigterm.ts";
import { workerKill } from "./worker-kill.ts";
import { uploads } from "./uploads.ts";
import { thumbnails } from "./thumbnails.ts";
import { billing, bombs, lists, search } from "./whole-tests.ts";

const stressTests: Readonly<Record<string, StressTest>> = {
  fuzz,
  "mcp-fuzz": mcpFuzz,
  races,
  addresses,
  crash,
  retention,
  backup,
  revocations,
  lists,
  billing,
  bombs,
  busy,
  bystander,
  hostile,
  "hostile-screenshots": hostileScreenshots,
  pages,
  proof,
  "worker-kill": workerKill,
  "jobs-twice": jobsTwice,
  leases,
  "main-thread": mainThread,
  "main-thread-worst": mainThreadWorst,
  "redis-away": redisAway,
  "database-restart": databaseRestart,
  "database-stopped": databaseStopped,
  search,
  sigterm,
  "disk-full": diskFull,
  thumbnails,
  documents,
  uploads,
  mutants,
};

function usage(): never {
  console.error("bun run stress <name> [FOLDER] [--count N] [--seed S] [--only FAMILY] [--screenshots]\n");
  for (const [name, { claim, count, takesFolder }] of Object.entries(stressTests))
    console.error(`  ${(takesFolder ? `${name} [FOLDER]` : name).padEnd(20)} ${claim} (${count})`);
  process.exit(2);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    screenshots: { type: "boolean" },
  },
});
const [name = "", folder, ...others] = positionals;
const stressTest = Object.hasOwn(stressTests, name) ? stressTests[name] : undefined;
if (stressTest === undefined || others.length > 0 || (folder !== undefined && !stressTest.takesFolder)) usage();
const count = Number(values.count ?? stressTest.count);
const seed = Number(values.seed ?? newSeed());
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) usage();

console.error(`${name}: ${stressTest.claim}\ncount ${count}, seed ${seed}`);
const started = performance.now();
const outcome = await stressTest.run({
  count,
  seed,
  timed: true,
  screenshots: values.screenshots ?? false,
  ...(values.only !== undefined && { only: values.only }),
  ...(folder !== undefined && { folder: resolve(repository, folder) }),
});
console.log(
  JSON.stringify({
    stressTest: name,
    count,
    seed,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    ...outcome,
  }),
);
