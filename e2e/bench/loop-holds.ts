// Preloaded into a server: records each time its event loop was blocked and how much of that the process itself
// computed, because a busy machine also delays the loop.
import { appendFileSync } from "node:fs";

const file = process.env["LOOP_HOLDS"];
/** Shorter blocks are not recorded. Milliseconds. */
const worthNoting = 5;

if (file !== undefined) {
  let last = performance.now();
  let used = process.cpuUsage();
  setInterval(() => {
    const wall = performance.now() - last;
    const { user, system } = process.cpuUsage(used);
    if (wall > worthNoting) {
      const hold: Hold = { at: Date.now(), ms: Math.min(wall, (user + system) / 1000) };
      appendFileSync(file, `${JSON.stringify(hold)}\n`);
    }
    last = performance.now();
    used = process.cpuUsage();
  }, 1).unref();
}

export interface Hold {
  /** The time at which it ended. */
  readonly at: number;
  /** The part of the block in which the process computed, on any of its threads. */
  readonly ms: number;
}
