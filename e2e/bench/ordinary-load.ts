// The load of an ordinary client, autocannon, in a separate process. It needs about as much processor time for a
// request as a client that parses its answers, unlike the lean one (load.ts).
import autocannon from "autocannon";

import type { LoadResult, ReadLoadJob } from "./measure.ts";

const { url, paths, headersOf, status, connections, warmUpMs, measureMs } = (await Bun.stdin.json()) as ReadLoadJob;
const requests = paths.map((path, place) => ({ path, headers: headersOf?.[place] ?? {} }));
const during = (ms: number) => autocannon({ url, connections, duration: ms / 1000, requests });
await during(warmUpMs);
const result = await during(measureMs);
const { errors, statusCodeStats, latency } = result;
const others = Object.keys(statusCodeStats ?? {}).filter((code) => code !== String(status));
if (errors > 0 || others.length > 0) throw new Error(`${errors} errors and ${others.join(", ")} from ${url}`);
const answer: LoadResult = {
  perSecond: result.requests.average,
  p50: latency.p50,
  p99: latency.p99,
  sent: result.requests.sent,
};
process.stdout.write(JSON.stringify(answer));
process.exit(0);
