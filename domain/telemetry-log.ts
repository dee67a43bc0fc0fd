// Writes a line to the log for each request and each job of the process.
import { log } from "@plinth/platform/log";
import { logRequest } from "@plinth/contract/served-request";

import { describeFault } from "./fault.ts";
import { on, type FinishedJob } from "./telemetry.ts";

/** Writes them from now on, until the function that it returns is called. */
export const writeLog = (): (() => void) => on({ request: logRequest, job: logJob });

function logJob({ kind, lane, jobId, attempt, ms, outcome, error }: FinishedJob): void {
  const line = { job: kind, jobId, lane, attempt, outcome, ms: Math.round(ms) };
  if (outcome === "done") log.served("info", line);
  else log.write(outcome === "dead" ? "error" : "warn", { ...line, ...describeFault(error) });
}
