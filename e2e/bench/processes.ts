// Views of one process, and of several on one database: two of the API, two of the web app and a worker, with and without
// Redis. The client asks both web apps in turn.
import { join } from "node:path";

import type { Front } from "../harness/instance.ts";
import { makeAccount } from "./account.ts";
import { startInstance } from "../harness/instance.ts";
import { startPostgres } from "../harness/postgres.ts";
import { startRedis } from "../harness/redis.ts";
import { startApart } from "../scale/apart.ts";
import type { Run } from "./measure.ts";
import { addView, connectionCounts, measureView, publishNineKilobytes } from "./views.ts";

const shownCount = 100;

const withoutLimits = { RATE_LIMIT_READS: "0", RATE_LIMIT_WRITES: "0", CHROMIUM_PATH: "off" } as const;

/** Without Redis installed, its figures are left out. */
export async function measureProcesses(run: Run): Promise<void> {
  const place = run.place("processes");
  const postgres = await startPostgres(join(place, "postgres"));
  process.env["TEST_DATABASE_URL"] = postgres.url;
  const one = await startInstance({ dataDir: join(place, "one") });
  await viewsOf("one process", one, [one.origin], run);
  await one.stop();
  const redis = Bun.which("redis-server") === null ? null : await startRedis();
  const kinds =
    redis === null ? { "without Redis": {} } : { "without Redis": {}, "with Redis": { REDIS_URL: redis.url } };
  for (const [kind, more] of Object.entries(kinds)) {
    const shape = await startApart({ ...withoutLimits, ...more });
    await viewsOf(`several processes ${kind}`, shape.front, shape.webs, run);
    await shape.stop();
  }
  await redis?.end();
  await postgres.end("SIGINT");
}

async function viewsOf(name: string, front: Front, webs: readonly string[], run: Run): Promise<void> {
  const shown = await publishNineKilobytes(front, await makeAccount(front), shownCount);
  const { host } = new URL(front.origin);
  for (const connections of connectionCounts) {
    const each = await Promise.all(
      webs.map((origin) => measureView(run, origin, shown, connections / webs.length, host)),
    );
    addView(run, `views, ${name}, ${connections} connections`, {
      perSecond: each.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50: Math.max(...each.map(({ p50 }) => p50)),
      p99: Math.max(...each.map(({ p99 }) => p99)),
    });
  }
}
