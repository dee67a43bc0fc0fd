// The process that runs jobs, for `worker-kill`: killed and started again, while another or the same process serves
// requests.
import { reservePort } from "@plinth/support/reserved-port";

import { scaledOut } from "../harness/database.ts";
import { startInstance, type Front } from "../harness/instance.ts";
import { startPostgres } from "../harness/postgres.ts";
import { cleanEnvironment } from "../harness/process.ts";
import { answers, begin, endAll, untilReady } from "../scale/shape.ts";

export interface JobProcess {
  /** Another one after a restart if the killed process also serves. */
  readonly front: Front;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops everything cleanly. */
  stop(): Promise<void>;
  /** For the doctor. */
  readonly database: { readonly DATA_DIR: string } | { readonly DATABASE_URL: string };
}

type Start = (folder: string, env: Readonly<Record<string, string>>) => Promise<JobProcess>;

/** One process does everything, so all of it is killed. */
const together: Start = async (dataDir, env) => {
  let instance = await startInstance({ dataDir, env });
  return {
    get front() {
      return instance;
    },
    kill: () => instance.kill(),
    async start() {
      instance = await startInstance({ dataDir, env });
    },
    async stop() {
      await instance.stop();
    },
    database: { DATA_DIR: dataDir },
  };
};

/** The worker is a separate process, and the API continues while it is killed. */
const apart: Start = async (folder, env) => {
  const server = await startPostgres(folder);
  const port = reservePort();
  const origin = `http://127.0.0.1:${port}`;
  const given = scaledOut(server.url);
  const shared = { ...cleanEnvironment(), ...given, ...env, PUBLIC_URL: origin, RATE_LIMIT_READS: "0" };
  const ownEnvironment = { api: { PORT: String(port), RATE_LIMIT_WRITES: "0" }, worker: {} };
  const run = (kind: keyof typeof ownEnvironment) =>
    begin(kind, [process.execPath, `server/${kind}.ts`], { ...shared, ...ownEnvironment[kind] });
  const startWorker = async () => {
    const started = run("worker");
    await untilReady(started, () => started.child.stderr().includes("worker ready"));
    return started;
  };
  const api = run("api");
  await untilReady(api, () => answers(`${origin}/api/health`));
  let worker = await startWorker();
  return {
    front: { origin, operatorToken: given["OPERATOR_TOKEN"] ?? "" },
    async kill() {
      worker.child.process.kill("SIGKILL");
      await worker.child.process.exited;
    },
    async start() {
      worker = await startWorker();
    },
    async stop() {
      await endAll([api, worker]);
      await server.end("SIGINT");
    },
    database: { DATABASE_URL: server.url },
  };
};

/** The process layouts, by their names for `--only`. */
export const shapes: Readonly<Record<string, Start>> = { apart, together };
