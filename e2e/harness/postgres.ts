// A separate PostgreSQL server, as an operator has it beside the service: started, stopped and killed. Knows the
// program and signals, but nothing of the content.
import { join } from "node:path";

import { repository, withinHung } from "./process.ts";

export interface PostgresServer {
  /** The same for every start on one directory. */
  readonly url: string;
  readonly dataDir: string;
  /** Of the postmaster. */
  readonly pid: number;
  /**
   * Sends the postmaster a signal (SIGINT: fast shutdown; SIGQUIT: without a checkpoint; SIGKILL) and waits for its
   * end.
   */
  end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
}

/** Settings for a fast server whose data need not survive a crash of the machine. */
export const forgetful = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" } as const;

/** Starts a server on a directory, which the first start creates. @throws if it does not start */
export async function startPostgres(
  dataDir: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<PostgresServer> {
  const holder = Bun.spawn(
    [
      process.execPath,
      "server/embedded-postgres.child.ts",
      dataDir,
      JSON.stringify({ max_connections: 200, ...settings }),
    ],
    { cwd: repository, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const first = await withinHung(holder.stdout.getReader().read(), () => "PostgreSQL did not start");
  if (first.value === undefined)
    throw new Error(`PostgreSQL did not start\n${await new Response(holder.stderr).text()}`);
  const { url, pid } = JSON.parse(new TextDecoder().decode(first.value)) as { url: string; pid: number };
  return {
    url,
    dataDir,
    pid,
    async end(signal) {
      process.kill(pid, signal);
      await withinHung(gone(pid), () => `PostgreSQL (${pid}) did not end on ${signal}`);
      holder.kill("SIGTERM");
      await withinHung(holder.exited, () => "what started PostgreSQL did not end");
    },
  };
}

export const postgresLog = ({ dataDir }: PostgresServer): string => join(dataDir, "postgres.log");

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return;
      throw error;
    }
    await Bun.sleep(10);
  }
}
