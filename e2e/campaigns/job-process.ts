// The process that does the jobs, as `worker-kill` knows it: started, killed, started again.
import { startInstance, type Instance } from "../harness/instance.ts";

export interface JobProcess {
  /** What serves requests while it runs. */
  readonly instance: Instance;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends everything in order. */
  stop(): Promise<void>;
  /** For the doctor. */
  readonly patient: { readonly DATA_DIR: string } | { readonly DATABASE_URL: string };
}

type Start = (folder: string, env: Readonly<Record<string, string>>) => Promise<JobProcess>;

/** One process does all, so that it is all killed. */
const together: Start = async (dataDir, env) => {
  let instance = await startInstance({ dataDir, env });
  return {
    get instance() {
      return instance;
    },
    kill: () => instance.kill(),
    async start() {
      instance = await startInstance({ dataDir, env });
    },
    async stop() {
      await instance.stop();
    },
    patient: { DATA_DIR: dataDir },
  };
};

/** Which shape of the service is killed. */
export const startJobProcess: Start = together;
