// Measures the effect of a flood of publishes on readers: the slowest answers in each second after it, while its jobs
// are done, beside those of a quiet instance.
import { makeAccount, publishReports } from "./account.ts";
import { startInstance } from "../harness/instance.ts";
import { median, ordinaryLoad, type Run } from "./measure.ts";
import { publishNineKilobytes, viewJob } from "./views.ts";

const quietSeconds = 5;
const afterSeconds = 10;
const readers = 8;
const warmUpMs = 300;
/** The highest p99 after a flood, relative to a quiet instance. */
const highestRatio = 2;

/** Publishes the documents at 16 at once, and reads for ten seconds from the moment when the last is answered. */
export async function measureFlood({ report, artifacts, place }: Run): Promise<void> {
  const instance = await startInstance({ dataDir: place("flood") });
  const account = await makeAccount(instance);
  const shown = await publishNineKilobytes(instance, account, 20);
  const job = { url: instance.origin, ...viewJob(shown, new URL(instance.origin).host), connections: readers };
  /** The p99 of each of the seconds, in ms. */
  const watch = async (seconds: number): Promise<number[]> => {
    const p99: number[] = [];
    for (let n = 0; n < seconds; n++) p99.push((await ordinaryLoad({ ...job, warmUpMs: 0, measureMs: 1000 })).p99);
    return p99;
  };
  await ordinaryLoad({ ...job, warmUpMs, measureMs: 1000 });
  const quiet = median(await watch(quietSeconds));
  await publishReports(instance, account, artifacts(10_000));
  const after = await watch(afterSeconds);
  await instance.stop();
  const worst = Math.max(...after);
  report.add({
    figure: "p99 of pages and documents after a flood",
    product: `${after[0]?.toFixed(1)} ms in the first second, ${worst.toFixed(1)} ms in the worst`,
    baseline: `${quiet.toFixed(1)} ms quiet`,
    ratio: (worst / quiet).toFixed(2),
    target: `≤ ${highestRatio}`,
    met: worst <= highestRatio * quiet,
  });
}
