// A PostgreSQL database outside any instance, on the server at TEST_DATABASE_URL, and a connection proxy to it that a
// test can cut. Knows nothing of its content.
import { SQL } from "bun";
import { connect, createServer, type Socket } from "node:net";

export interface OwnDatabase {
  readonly url: string;
  readonly sql: SQL;
  drop(): Promise<void>;
}

/** A new, empty database, on the tests' server by default. @throws if TEST_DATABASE_URL is needed and not set */
export async function ownDatabase(server = process.env["TEST_DATABASE_URL"]): Promise<OwnDatabase> {
  if (!server) throw new Error("TEST_DATABASE_URL is not set; run the tests through `bun run test`");
  const name = `e2e_${Bun.randomUUIDv7().replaceAll("-", "")}`;
  const administer = async (...statements: string[]) => {
    const client = new SQL(server, { max: 1 });
    for (const statement of statements) await client.unsafe(statement);
    await client.close();
  };
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = new SQL(url.href, { max: 2 });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.close();
      // Not WITH (FORCE): it refuses while autovacuum runs as another role; the plain form cancels that.
      await administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`,
        `DROP DATABASE ${name}`,
      );
    },
  };
}

export interface Line {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  close(): void;
}

/** A URL that reaches the database until the proxy is cut. */
export async function lineTo(databaseUrl: string): Promise<Line> {
  const target = endOf(new URL(databaseUrl));
  const open = new Set<Socket>();
  let whole = true;
  const server = createServer((client) => {
    if (!whole) return void client.destroy();
    const database = connect(target);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.searchParams.delete("host");
  url.port = String(typeof address === "object" && address ? address.port : 0);
  const cut = () => {
    whole = false;
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    mend: () => void (whole = true),
    close: () => {
      cut();
      server.close();
    },
  };
}

/** Where the server listens: the query can have the folder of a Unix socket, as in libpq. */
function endOf(url: URL): { path: string } | { host: string; port: number } {
  const folder = url.searchParams.get("host");
  const port = Number(url.port || 5432);
  return folder?.startsWith("/") ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port };
}

/** Settings that an instance with a shared database needs instead of generating them. */
export const scaledOut = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  SECRET: "a secret that is long enough for every test of this kind",
  OPERATOR_TOKEN: operatorToken,
});

/** In the form `plo_`, 33 digits of base 62 and 6 more of their CRC32 (docs/reference/contract.md §5). */
const operatorToken = withChecksum(`plo_${"e2e".repeat(11)}`);

/** A token with a valid checksum, which needs no secret. */
export function withChecksum(body: string): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let text = "";
  for (let rest = Bun.hash.crc32(body); text.length < 6; rest = Math.floor(rest / 62))
    text = digits.charAt(rest % 62) + text;
  return body + text;
}
