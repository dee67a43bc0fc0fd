// A process with a lease, for `bun run bench --only leases`: `hold` keeps a row in memory, and `write` measures how long its
// writes wait for the other holders. It reads one line for each task and answers with one line.
import { createInterface } from "node:readline";

import { connect } from "@plinth/db/connection";

import { openLeases, type OpenLeases } from "../lease-connection.ts";

/** A task of the writer. */
export interface WaitTask {
  readonly writes: number;
}

const [databaseUrl = "", role] = process.argv.slice(2);
const artifactId = "art_waited";
/** Between two writes, in ms, so that each is a message. */
const pauseMs = 5;

const db = connect({ url: databaseUrl, max: 1 });
const leases = openLeases<string>({
  databaseUrl,
  db,
  holds: true,
  onError: (error) => console.error(error instanceof Error ? error.message : error),
});

/** Reads the row again, as a process whose readers come back. */
function remember({ memory }: OpenLeases<string>): boolean {
  const reading = memory.begin();
  reading?.keep(artifactId, { artifactId, row: "row", versions: "1", weight: 100 });
  reading?.end();
  return reading !== null;
}

async function waits({ writes }: WaitTask): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < writes; n++) {
    const beganAt = performance.now();
    await leases.tell([artifactId]);
    taken.push(performance.now() - beganAt);
    await Bun.sleep(pauseMs);
  }
  return taken;
}

while (!remember(leases)) await Bun.sleep(pauseMs);
if (role === "hold") setInterval(() => remember(leases), pauseMs);
console.log("ready");
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await waits(JSON.parse(line) as WaitTask)));
await leases.close();
await db.close();
process.exit(0);
