// `bun run worker`: relay and worker as a process of its own, any number of them. It has no port.
import { readyLine } from "./banner.ts";
import { jobConfigOf } from "./config.ts";
import { beginDatabase, beginQueue, beginWork } from "./parts.ts";
import { run } from "./run.ts";

await run("worker", async (start) => {
  const config = jobConfigOf(start.environment);
  const database = await beginDatabase(start);
  const jobs = beginQueue(start, database);
  beginWork(start, jobs, { db: database.connection, config, painter: null });
  return { ready: readyLine("worker", start, database.name) };
});
