// Measures the effect of a flood of publishes on readers: the slowest answers in each second after it, while its jobs
// are done, beside those of a quiet instance.
import { makeAccount, publishReports } from "./account.ts";
import { startInstance } from "../harness/instance.ts";
import { median, ordinaryLoad, type LoadResult } from "./measure.ts";
import { publishNineKilobytes, viewJob } from "./views.ts";

export interface FloodFigure {
  readonly name: string;
  /** The p99 of an answer in ms: quiet, in the first second after the flood, and in the worst of all. */
  readonly quiet: number;
  readonly first: number;
  readonly worst: number;
}

const quietSeconds = 5;
const afterSeconds = 10;
const readers = 8;
const warmUpMs = 300;

/** Publishes `count` documents at 16 at once, and reads for ten seconds from the moment when the last is answered. */
export async function measureFlood(dataDir: string, count: number): Promise<FloodFigure> {
  const instance = await startInstance({ dataDir });
  const account = await makeAccount(instance);
  const shown = await publishNineKilobytes(instance, account, 20);
  const second = (warm = 0): Promise<LoadResult> =>
    ordinaryLoad({
      url: instance.origin,
      ...viewJob(shown, new URL(instance.origin).host),
      connections: readers,
      warmUpMs: warm,
      measureMs: 1000,
    });
  await second(warmUpMs);
  const quiet: number[] = [];
  for (let n = 0; n < quietSeconds; n++) quiet.push((await second()).p99);
  await publishReports(instance, account, count);
  const after: number[] = [];
  for (let n = 0; n < afterSeconds; n++) after.push((await second()).p99);
  await instance.stop();
  return {
    name: "p99 of pages and documents after a flood",
    quiet: median(quiet),
    first: after[0] ?? 0,
    worst: Math.max(...after),
  };
}
