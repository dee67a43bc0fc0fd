// Between processes: which artifacts changed, by PostgreSQL's LISTEN and NOTIFY over one connection. It is a
// convenience: the sweep finds a lost notification, so nothing here ever fails a request (docs/decisions/api.md,
// "Streams are reauthorized").
import { openLastingConnection } from "../lasting-connection.ts";

const channel = "plinth_artifact";
/** The most changes in one NOTIFY, whose payload holds less than 8,000 bytes. */
const sentAtOnce = 200;
/** The most changes that wait to be sent; the sweep finds the rest. */
const waitingAtMost = 2_000;
/** Changes within this time are sent together, in ms. */
const gatherMs = 5;
/** The pause between statements, which keeps their cost below that of the changes, in ms. */
const betweenMs = 25;
const timeoutMs = 5_000;
/** The longest pause between attempts to connect, in ms. */
const longestRetryMs = 10_000;

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
  let isSending = false;
  const connection = openLastingConnection({
    databaseUrl,
    applicationName: "plinth-events",
    timeoutMs,
    longestRetryMs,
    onError,
    async use(client) {
      // No notification needs to survive a crash, so none waits for the disk.
      await client.query("SET synchronous_commit TO off");
      const { rows } = await client.query<{ own: number }>("SELECT pg_backend_pid() AS own");
      client.on("notification", ({ processId, payload = "" }) => {
        if (processId !== rows[0]?.own) for (const artifactId of payload.split(" ")) onChange(artifactId);
      });
      await client.query(`LISTEN ${channel}`);
    },
  });

  /** Publishes the waiting changes while there are any and the channel is connected. */
  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      await connection.sleep(gatherMs);
      for (let client = connection.current(); client !== null && waiting.size > 0; client = connection.current()) {
        const together = [...waiting].slice(0, sentAtOnce);
        for (const artifactId of together) waiting.delete(artifactId);
        await client.query("SELECT pg_notify($1, $2)", [channel, together.join(" ")]);
        await connection.sleep(betweenMs);
      }
    } catch (error) {
      if (!connection.isClosed()) onError(error);
    } finally {
      waiting.clear();
      isSending = false;
    }
  }

  return {
    publishChange(artifactId) {
      if (connection.current() === null || waiting.size >= waitingAtMost) return;
      waiting.add(artifactId);
      void send();
    },
    close: () => connection.close(),
  };
}
