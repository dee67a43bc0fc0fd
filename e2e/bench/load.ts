// The load client, a separate process: keeps a number of connections busy for some time and counts the answers. It
// measures the product and its baseline alike.
import { openConnection } from "./connection.ts";
import { document } from "./documents.ts";
import { resultOf, type LoadJob, type LoadResult } from "./measure.ts";

const encoder = new TextEncoder();

/** The bytes of the n-th request, built before the measurement starts. */
function requestOf(job: LoadJob, n: number): Uint8Array {
  const path = job.paths[n % job.paths.length] ?? "/";
  const headers = {
    host: new URL(job.url).host,
    accept: "*/*",
    ...job.headers,
    ...job.headersOf?.[n % job.paths.length],
  };
  const lines = [
    `${job.method ?? "GET"} ${path} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const body = bodyOf(job, n);
  if (body === null) return encoder.encode(`${lines.join("\r\n")}\r\n\r\n`);
  const text = encoder.encode(body);
  if (!("content-type" in headers)) lines.push("content-type: application/json");
  lines.push(`content-length: ${text.length}`);
  return Buffer.concat([encoder.encode(`${lines.join("\r\n")}\r\n\r\n`), text]);
}

function bodyOf({ publish, bodies }: LoadJob, n: number): string | null {
  if (publish === undefined) return bodies?.[n % bodies.length] ?? null;
  const { from, body, before = "", bytes } = publish;
  const content = before + document(from + n).slice(0, bytes);
  return body === null ? content : JSON.stringify({ ...body, slug: `report-${from + n}`, content });
}

async function run(job: LoadJob): Promise<LoadResult> {
  const { hostname, port } = new URL(job.url);
  const prepared = job.publish?.atMost ?? job.paths.length;
  const requests = Array.from({ length: prepared }, (_, n) => requestOf(job, n));
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => openConnection(hostname, Number(port))),
  );
  const warm = performance.now() + job.warmUpMs;
  const end = warm + job.measureMs;
  const latencies: number[] = [];
  let sent = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let now = performance.now(); now < end;) {
        const n = sent++;
        if (job.publish !== undefined && n >= prepared) throw new Error("more was published than was prepared");
        const status = await connection.send(requests[n % prepared] ?? new Uint8Array());
        if (status !== job.status) throw new Error(`${status} instead of ${job.status} from ${job.url}`);
        const answered = performance.now();
        if (now >= warm && answered < end) latencies.push(answered - now);
        now = answered;
      }
    }),
  );
  for (const connection of connections) connection.close();
  return resultOf(latencies, job, sent);
}

process.stdout.write(JSON.stringify(await run((await Bun.stdin.json()) as LoadJob)));
process.exit(0);
