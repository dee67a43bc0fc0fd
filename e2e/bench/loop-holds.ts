// Loaded into a server ahead of it: notes each time its event loop was held, and how much of that the process itself
// computed. A busy machine holds the loop too, but takes its time elsewhere.
import { appendFileSync } from "node:fs";

const file = process.env["LOOP_HOLDS"];
/** Shorter ones are not noted. Milliseconds. */
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
  /** When it ended, by the clock. */
  readonly at: number;
  /** What the loop was held for and the process computed meanwhile, with whatever threads it has. */
  readonly ms: number;
}
