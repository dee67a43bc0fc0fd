// Health of the instance (docs/reference/experience.md §6). Checks the database, the queue, the workers and object
// storage, and reports each as pass, warn or fail. Jobs that failed permanently do not affect health: the metrics and
// the operator's list show them, and one bounced mail would cause a warning for a month.
import type { Input, Output } from "@plinth/contract/registry";
import type { ObjectStore } from "@plinth/db/object-store";

import { sellingTrouble } from "./billing/selling-trouble.ts";
import type { Context } from "./context.ts";
import { troubleText, type DatabaseTrouble } from "./database-trouble.ts";
import { oldestInOutbox } from "./queue/oldest-in-outbox.ts";
import type { Billing } from "./services.ts";
import { reachStore } from "./storage/reach-store.ts";
import { threadTrouble } from "./threads/thread-processes.ts";
import { withTimeout } from "@plinth/platform/with-timeout";

type Check = NonNullable<Output<"health">["checks"]>["database"];

/** A check that takes longer has failed. */
const timeoutMs = 2000;
/** A job that waits longer than this is a warning: nothing takes them, or too slowly. */
const jobWaitMaxSeconds = 60;
/** A worker that has said nothing for longer is counted as gone; each says something every 15 s. */
const workerSilenceMaxSeconds = 60;

/** What a worker without a browser warns of, too. */
export const noChromium = "no Chromium: thumbnails are placeholders";

const pass: Check = { status: "pass" };
const warn = (detail: string): Check => ({ status: "warn", detail });

export async function health(context: Context, input: Input<"health">): Promise<Output<"health">> {
  const { config, startedAt } = context;
  const about = { version: config.version, uptimeSeconds: Math.floor((Date.now() - startedAt) / 1000) };
  if (input.live !== undefined) return { status: "pass", ...about };
  const seen = workers(context);
  const { billing } = context;
  const { objects } = context.db;
  const [database, queue, renderer, selling, contents] = await Promise.all([
    inTime(checkDatabase(context), "fail"),
    inTime(checkQueue(context, seen), "warn"),
    inTime(checkRenderer(seen), "warn"),
    billing === null ? null : inTime(checkBilling(context, billing), "warn"),
    // A warning: contents in memory or in the database are served without it.
    objects === null ? null : inTime(checkContents(objects), "warn"),
  ]);
  const checks = {
    database,
    queue,
    renderer,
    ...(selling !== null && { billing: selling }),
    ...(contents !== null && { contents }),
  };
  if (database.status === "fail") return { status: "fail", ...about, checks };
  const isWell = Object.values(checks).every(({ status }) => status === "pass");
  return { status: isWell ? "pass" : "warn", ...about, checks };
}

/** A check that can't be made, or not in time, is `otherwise`. */
function inTime(asked: Promise<Check>, otherwise: Check["status"]): Promise<Check> {
  const answer = asked.catch((): Check => ({ status: otherwise, detail: "can't be reached" }));
  return withTimeout(timeoutMs, answer, (): Check => ({ status: otherwise, detail: "no answer in time" }));
}

/** Reads go on where only writes fail, so that is a warning: an instance that answers them is not taken out of service. */
async function checkDatabase({ db, databaseTrouble, hasRoom }: Context): Promise<Check> {
  await db.run("SELECT 1");
  return writing(hasRoom() ? databaseTrouble() : "full");
}

/** The check of the database after a read from it succeeded: the outcome of its last write. */
export const writing = (trouble: DatabaseTrouble | null): Check =>
  trouble === null ? pass : warn(troubleText[trouble]);

/** Warns where jobs wait: the relay does not hand them over, or no worker takes them. */
async function checkQueue(context: Context, seen: Promise<Workers>): Promise<Check> {
  const { db, queue, startedAt } = context;
  const [oldest, { alive }] = await Promise.all([
    oldestInOutbox(db),
    seen,
    // Redis can be unreachable while the database is not.
    queue.counts(),
  ]);
  // Many screenshots can wait for long without holding up other jobs.
  const seconds = Math.max(0, ...oldest.flatMap((one) => (one.work === "pictures" ? [] : [one.seconds])));
  if (seconds > jobWaitMaxSeconds) return warn(`the oldest job has waited ${Math.round(seconds)} s`);
  const hasJustStarted = Date.now() - startedAt < workerSilenceMaxSeconds * 1000;
  return alive > 0 || hasJustStarted ? pass : warn(`no worker has been seen for ${workerSilenceMaxSeconds} s`);
}

/** Warns where readers see plain text or placeholders instead of a rendering or a screenshot. */
async function checkRenderer(seen: Promise<Workers>): Promise<Check> {
  const trouble = threadTrouble();
  if (trouble !== null) return warn(`${trouble}: jsx can't be published, markdown is shown as plain text`);
  const { alive, withBrowser } = await seen;
  return alive > 0 && withBrowser === 0 ? warn(noChromium) : pass;
}

/** Warns where plans can't be sold, or don't follow the payments. */
async function checkBilling({ db }: Context, billing: Billing): Promise<Check> {
  const trouble = await sellingTrouble(db, billing);
  return trouble === null ? pass : warn(trouble);
}

/** Warns where contents in object storage can't be read or moved there. */
async function checkContents(objects: ObjectStore): Promise<Check> {
  await reachStore(objects);
  return pass;
}

interface Workers {
  readonly alive: number;
  readonly withBrowser: number;
}

async function workers({ db }: Context): Promise<Workers> {
  const [row] = await db.run<Workers>(
    `SELECT count(*)::int AS alive, count(browser)::int AS "withBrowser"
     FROM worker_process WHERE seen_at > now() - make_interval(secs => ${workerSilenceMaxSeconds})`,
  );
  return row ?? { alive: 0, withBrowser: 0 };
}
