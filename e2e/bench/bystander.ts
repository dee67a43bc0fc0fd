// The bystander, a separate process: sends small requests over one kept connection while other clients send heavy ones,
// and prints the response times when its input ends.
import { openConnection } from "./connection.ts";

export interface BystanderJob {
  readonly url: string;
  readonly paths: readonly string[];
  /** Milliseconds between the starts of two requests; longer if the answer takes longer. */
  readonly everyMs: number;
}

export interface Bystander {
  /** Milliseconds. */
  readonly median: number;
  readonly slowest: number;
}

const lines = console[Symbol.asyncIterator]();
const first = await lines.next();
const { url, paths, everyMs } = JSON.parse(String(first.value)) as BystanderJob;
const { hostname, port, host } = new URL(url);
const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`));
const connection = await openConnection(hostname, Number(port));
let isOver = false;
void lines.next().then(() => (isOver = true));

const took: number[] = [];
process.stdout.write("\n"); // it has begun
for (let n = 0; !isOver; n++) {
  const started = performance.now();
  const status = await connection.send(requests[n % requests.length] ?? new Uint8Array());
  const ms = performance.now() - started;
  if (status !== 200) throw new Error(`${status} instead of 200 from ${paths[n % paths.length]}`);
  took.push(ms);
  await Bun.sleep(Math.max(0, everyMs - ms));
}
connection.close();
took.sort((a, b) => a - b);
const outcome: Bystander = {
  median: took[took.length >> 1] ?? Number.NaN,
  slowest: took.at(-1) ?? Number.NaN,
};
process.stdout.write(JSON.stringify(outcome));
process.exit(0);
