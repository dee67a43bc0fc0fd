// Between processes: which artifacts changed, by PostgreSQL's LISTEN and NOTIFY over one connection. It is a
// convenience: the sweep finds a lost notification, so nothing here ever fails a request (docs/decisions/api.md,
// "Streams are reauthorized").
import { Client } from "pg";

const channel = "plinth_artifact";
/** The most changes in one NOTIFY, whose payload holds less than 8,000 bytes. */
const sentAtOnce = 200;
/** The most changes that wait to be sent; the sweep finds the rest. */
const waitingAtMost = 2_000;
/** Changes within this time are sent together, in ms. */
const gatherMs = 5;
/** The pause between statements, which keeps their cost below that of the changes, in ms. */
const betweenMs = 25;
const patienceMs = 5_000;
/** The first and the longest pause between attempts to connect, in ms. */
const retryMs = { first: 250, longest: 10_000 };

export interface NotifyChannel {
  /** Tells the other processes that something changed about an artifact. */
  publishChange(artifactId: string): void;
  close(): Promise<void>;
}

interface NotifyChannelOptions {
  readonly databaseUrl: string;
  /** Called for each change in another process. */
  readonly onChange: (artifactId: string) => void;
  /** Called when the connection is lost; the channel reconnects by itself. */
  readonly onError: (error: unknown) => void;
}

/** Opens one connection for as long as the process serves. */
export function openNotifyChannel({ databaseUrl, onChange, onError }: NotifyChannelOptions): NotifyChannel {
  const waiting = new Set<string>();
  const closing = Promise.withResolvers<void>();
  let closed = false;
  let connected: Client | null = null;
  let isSending = false;
  let pauseMs = retryMs.first;

  async function run(): Promise<void> {
    while (!closed) {
      await listen().catch((error: unknown) => {
        if (!closed) onError(error);
      });
      await sleep(pauseMs * (0.5 + Math.random()));
      pauseMs = Math.min(2 * pauseMs, retryMs.longest);
    }
  }

  /** Connects and listens until the channel is closed. @throws where the connection is lost */
  async function listen(): Promise<void> {
    const lost = Promise.withResolvers<never>();
    // The race below handles the rejection; the socket may report its end again after that.
    lost.promise.catch(() => undefined);
    const client = new Client({
      connectionString: databaseUrl,
      application_name: "plinth-events",
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    });
    client.on("error", lost.reject);
    client.on("end", () => lost.reject(new Error("the connection that listens has ended")));
    try {
      await client.connect();
      // No notification needs to survive a crash, so none waits for the disk.
      await client.query("SET synchronous_commit TO off");
      const { rows } = await client.query<{ own: number }>("SELECT pg_backend_pid() AS own");
      client.on("notification", ({ processId, payload = "" }) => {
        if (processId !== rows[0]?.own) for (const artifactId of payload.split(" ")) onChange(artifactId);
      });
      await client.query(`LISTEN ${channel}`);
      pauseMs = retryMs.first;
      connected = client;
      await Promise.race([lost.promise, closing.promise]);
    } finally {
      connected = null;
      void client.end().catch(() => undefined);
    }
  }

  /** Publishes the waiting changes while there are any and the channel is connected. */
  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      await sleep(gatherMs);
      while (connected !== null && waiting.size > 0) {
        const together = [...waiting].slice(0, sentAtOnce);
        for (const artifactId of together) waiting.delete(artifactId);
        await connected.query("SELECT pg_notify($1, $2)", [channel, together.join(" ")]);
        await sleep(betweenMs);
      }
    } catch (error) {
      if (!closed) onError(error);
    } finally {
      waiting.clear();
      isSending = false;
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
    publishChange(artifactId) {
      if (connected === null || waiting.size >= waitingAtMost) return;
      waiting.add(artifactId);
      void send();
    },
    async close() {
      closed = true;
      closing.resolve();
      await running;
    },
  };
}
