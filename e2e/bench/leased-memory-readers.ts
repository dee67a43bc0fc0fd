// Readers of seeded artifacts, a separate process: reads the raw content of each, the artifact by its path, its page and its
// framed document over connections that stay open, a few times in a row.
import { openConnection } from "./connection.ts";
import { seededAddress, seededId } from "./leased-memory-seed.ts";

export interface ReadersJob {
  readonly url: string;
  readonly artifacts: number;
  readonly connections: number;
  readonly inARow: number;
}

const { url, artifacts, connections, inARow } = (await Bun.stdin.json()) as ReadersJob;
const { hostname, port, host } = new URL(url);

function requestsOf(n: number): Uint8Array[] {
  const [id, address] = [seededId(n), seededAddress(n)];
  const asked: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [`/api/artifacts/${id}/content`, {}],
    [`/api/by-path/${address}`, {}],
    [`/${address}`, asBrowser],
    [`/_content/p/${id}/1`, { ...asBrowser, "sec-fetch-dest": "iframe" }],
  ];
  return asked.map(([path, headers]) => {
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  });
}

const asBrowser = { accept: "text/html,application/xhtml+xml", "accept-encoding": "gzip, deflate, br" };

let next = 1;
async function reader(): Promise<void> {
  const connection = await openConnection(hostname, Number(port));
  for (let n = next++; n <= artifacts; n = next++) {
    const requests = requestsOf(n);
    for (let time = 0; time < inARow; time++)
      for (const request of requests) {
        const status = await connection.send(request);
        if (status !== 200) throw new Error(`${status} of artifact ${n}`);
      }
    if (n % 10_000 === 0) console.error(`read ${n} artifacts`);
  }
  connection.close();
}

await Promise.all(Array.from({ length: connections }, reader));
process.stdout.write("{}");
process.exit(0);
