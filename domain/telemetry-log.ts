// Writes a line to the log for each request and each job of the process, and where object storage is away.
import { log } from "@plinth/platform/log";
import { logRequest } from "@plinth/contract/served-request";

import { describeFault } from "./fault.ts";
import type { ObjectRequest } from "./storage/s3-store.ts";
import { createTroubleLog } from "./trouble-log.ts";
import { on, type FinishedJob } from "./telemetry.ts";

/** Writes them from now on, until the function that it returns is called. */
export const writeLog = (): (() => void) => on({ request: logRequest, job: logJob, object: logObject });

function logJob({ kind, queue, jobId, attempt, ms, outcome, error }: FinishedJob): void {
  const line = { job: kind, jobId, queue, attempt, outcome, ms: Math.round(ms) };
  if (outcome === "done") log.served("info", line);
  else log.write(outcome === "dead" ? "error" : "warn", { ...line, ...describeFault(error) });
}

const objectTroubleLog = createTroubleLog("objectStorage", "Contents in object storage can't be read or written");

function logObject({ trouble }: ObjectRequest): void {
  if (trouble === null) objectTroubleLog.answered();
  else objectTroubleLog.failed(trouble);
}
