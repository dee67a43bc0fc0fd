// Whether the instance can serve (experience 6). Asks the database and the queue, and says no more than pass,
// warn or fail of each.
import type { Input, Output } from "@plinth/contract/registry";

import type { Context } from "./context.ts";

type Check = NonNullable<Output<"health">["checks"]>["database"];

/** A check that takes longer has failed. */
const patienceMs = 2000;
/** A job that waits longer than this is a warning: nothing takes them, or too slowly. */
const outboxPatienceSeconds = 60;

export async function health(context: Context, input: Input<"health">): Promise<Output<"health">> {
  const { config, startedAt } = context;
  const about = { version: config.version, uptimeSeconds: Math.floor((Date.now() - startedAt) / 1000) };
  if (input.live !== undefined) return { status: "pass", ...about };
  const [database, queue] = await Promise.all([inTime(checkDatabase(context)), inTime(checkOutbox(context))]);
  const checks = { database, queue, renderer: { status: "pass" as const } };
  if (database.status === "fail") return { status: "fail", ...about, checks };
  const isWell = Object.values(checks).every(({ status }) => status === "pass");
  return { status: isWell ? "pass" : "warn", ...about, checks };
}

async function inTime(asked: Promise<Check>): Promise<Check> {
  const { promise: late, resolve } = Promise.withResolvers<Check>();
  const timer = setTimeout(() => resolve({ status: "fail", detail: "no answer in time" }), patienceMs);
  const answer = asked.catch((): Check => ({ status: "fail", detail: "can't be reached" }));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

async function checkDatabase({ db }: Context): Promise<Check> {
  await db.run("SELECT 1");
  return { status: "pass" };
}

/** Pictures wait where there are many to be taken, which keeps nobody waiting for anything else. */
async function checkOutbox({ db }: Context): Promise<Check> {
  const [row] = await db.run<{ seconds: number | null }>(
    "SELECT extract(epoch FROM now() - min(created_at))::float8 AS seconds FROM outbox WHERE kind NOT LIKE 'thumbnail%'",
  );
  const seconds = row?.seconds ?? 0;
  if (seconds <= outboxPatienceSeconds) return { status: "pass" };
  return { status: "warn", detail: `the oldest job has waited ${Math.round(seconds)} s` };
}
