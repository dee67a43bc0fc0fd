// Writes down what the process has done: one line for each request and each job.
import { log } from "@plinth/platform/log";
import { logRequest } from "@plinth/contract/served-request";

import { describeFault } from "./fault.ts";
import { hear, type FinishedJob } from "./telemetry.ts";

/** From now on, until what it returns is called. */
export const writeLog = (): (() => void) => hear({ request: logRequest, job: logJob });

function logJob({ kind, lane, jobId, attempt, ms, outcome, error }: FinishedJob): void {
  const line = { job: kind, jobId, lane, attempt, outcome, ms: Math.round(ms) };
  if (outcome === "done") log.served("info", line);
  else log.write(outcome === "dead" ? "error" : "warn", { ...line, ...describeFault(error) });
}
