// One direct connection to PostgreSQL that is opened again whenever it is lost: for LISTEN, which a pool cannot do.
import { Socket } from "node:net";
import { awakeTimeout } from "@plinth/platform/awake-timeout";
import { Client } from "pg";

/** The first pause between attempts to connect, in ms; it doubles up to the longest. */
const firstRetryMs = 250;

interface LastingConnection {
  /** The connection, or null while there is none. */
  current(): Client | null;
  isClosed(): boolean;
  /** Waits so many ms, or until the connection is closed for good. */
  sleep(ms: number): Promise<void>;
  close(): Promise<void>;
}

interface LastingConnectionOptions {
  readonly databaseUrl: string;
  /** The name of the connection in pg_stat_activity. */
  readonly applicationName: string;
  /** The longest that connecting and each statement take, in ms. */
  readonly timeoutMs: number;
  /** The longest pause between attempts to connect, in ms. */
  readonly longestRetryMs: number;
  /** Prepares each new connection, before it is `current`. `lost` rejects when it is lost, and `lose` gives it up. */
  readonly use: (client: Client, lost: Promise<never>, lose: (error: unknown) => void) => Promise<void>;
  /** Called when a connection is lost or cannot be opened; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** Opens the connection, and opens it again until it is closed. */
export function openLastingConnection({
  databaseUrl,
  applicationName,
  timeoutMs,
  longestRetryMs,
  use,
  onError,
}: LastingConnectionOptions): LastingConnection {
  const closing = Promise.withResolvers<void>();
  let closed = false;
  let connected: Client | null = null;
  let pauseMs = Math.min(firstRetryMs, longestRetryMs);

  async function run(): Promise<void> {
    while (!closed) {
      await connect().catch((error: unknown) => {
        if (!closed) onError(error);
      });
      await sleep(pauseMs * (0.5 + Math.random()));
      pauseMs = Math.min(2 * pauseMs, longestRetryMs);
    }
  }

  /** Connects and keeps the connection until it is closed. @throws where it is lost */
  async function connect(): Promise<void> {
    const lost = Promise.withResolvers<never>();
    // The races below handle the rejection; the socket may report its end again after that.
    lost.promise.catch(() => undefined);
    const socket = new Socket();
    const client = new Client({
      connectionString: databaseUrl,
      application_name: applicationName,
      keepAlive: true,
      stream: () => socket,
      query_timeout: timeoutMs,
    });
    client.on("error", lost.reject);
    client.on("end", () => lost.reject(new Error(`the connection ${applicationName} has ended`)));
    // The driver's own limit ends the first connection of a process that is still loading its modules.
    const timeout = awakeTimeout(timeoutMs, () => {
      lost.reject(new Error(`the connection ${applicationName} was not accepted within ${timeoutMs} ms`));
      socket.destroy();
    });
    try {
      await Promise.race([client.connect().finally(timeout.clear), lost.promise]);
      await use(client, lost.promise, lost.reject);
      pauseMs = Math.min(firstRetryMs, longestRetryMs);
      connected = client;
      await Promise.race([lost.promise, closing.promise]);
    } finally {
      timeout.clear();
      connected = null;
      void client.end().catch(() => undefined);
    }
  }

  async function sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, closing.promise]);
    clearTimeout(timer);
  }

  const running = run();
  return {
    current: () => connected,
    isClosed: () => closed,
    sleep,
    async close() {
      closed = true;
      closing.resolve();
      await running;
    },
  };
}
