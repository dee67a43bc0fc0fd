// Counts the round trips to PostgreSQL: a proxy that reads the messages of the protocol which end a request to the server.
import { connect, createServer } from "node:net";

export interface RoundTrips {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Round trips so far, on all connections. */
  count(): number;
  close(): Promise<void>;
}

/** Messages after which a client waits: Sync and Query. */
const ends = new Set(["S", "Q"].map((type) => type.charCodeAt(0)));
const sslRequest = 80_877_103;

export async function countRoundTrips(databaseUrl: string): Promise<RoundTrips> {
  const target = placeOf(new URL(databaseUrl));
  let total = 0;
  const server = createServer((client) => {
    const database = connect(target);
    let unread = Buffer.alloc(0);
    /** The first message of a connection has no type. */
    let hasBegun = false;
    client.on("data", (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (;;) {
        const head = hasBegun ? 1 : 0;
        if (unread.length < head + 4) return;
        const length = head + unread.readUInt32BE(head);
        if (unread.length < length) return;
        if (hasBegun && ends.has(unread[0] ?? 0)) total++;
        else if (!hasBegun) hasBegun = length !== 8 || unread.readUInt32BE(4) !== sslRequest;
        unread = unread.subarray(length);
      }
    });
    client.pipe(database);
    database.pipe(client);
    client.on("error", () => database.destroy());
    database.on("error", () => client.destroy());
    client.on("close", () => database.destroy());
    database.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.searchParams.delete("host");
  url.port = String(typeof address === "object" && address !== null ? address.port : 0);
  return {
    url: url.href,
    count: () => total,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Where the server listens: the query can have the folder of a Unix socket, as in libpq. */
function placeOf(url: URL): { path: string } | { host: string; port: number } {
  const folder = url.searchParams.get("host");
  const port = Number(url.port || 5432);
  return folder?.startsWith("/") ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port };
}
