// The publishing account of the benchmark: a user, a key and a project, created through the API by an operator and that
// user.
import { SQL } from "bun";

import { document } from "./documents.ts";
import type { Front } from "../harness/instance.ts";
import { hung } from "../harness/process.ts";

export interface Account {
  readonly userId: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly authorization: string;
}

export const username = "bench";
export const projectSlug = "reports";

/** The body of a publish without content and slug. */
export const newReport = {
  projectSlug,
  type: "md",
  title: "Report",
  access: { publicView: true, publicEdit: false },
} as const;

export async function makeAccount(instance: Front): Promise<Account> {
  const operator = `Bearer ${instance.operatorToken}`;
  const user = await send<{ userId: string; workspaceId: string }>(instance, operator, "/api/operator/users", {
    email: "bench@example.com",
    username,
  });
  const { key } = await send<{ key: string }>(instance, operator, `/api/operator/users/${user.userId}/api-keys`, {
    name: "bench",
    scopes: ["artifacts:read", "artifacts:create", "artifacts:update", "artifacts:access:read"],
  });
  const authorization = `Bearer ${key}`;
  const project = { ownerUsername: username, slug: projectSlug, title: "Reports", icon: "R" };
  const { projectId } = await send<{ projectId: string }>(instance, authorization, "/api/projects", project);
  return { ...user, projectId, authorization };
}

export interface Published {
  readonly artifactId: string;
  readonly slug: string;
}

/** Publishes `count` documents of these bytes, or of the usual length. */
export async function publishReports(
  instance: Front,
  { authorization }: Account,
  count: number,
  { name = "read", bytes = Infinity } = {},
): Promise<Published[]> {
  const published: Published[] = [];
  let next = 0;
  const publisher = async () => {
    for (let n = next++; n < count; n = next++) {
      const body = { ...newReport, slug: `${name}-${n}`, content: document(-1 - n).slice(0, bytes) };
      published[n] = await send<Published>(instance, authorization, "/api/artifacts", body);
    }
  };
  await Promise.all(Array.from({ length: 16 }, publisher));
  return published;
}

/**
 * Waits until every job that the writes caused is done, and returns the seconds. @throws if no job finishes for two
 * minutes
 */
export async function jobsDone(instance: Front): Promise<number> {
  const started = performance.now();
  let fewest = Infinity;
  for (let deadline = 0; ;) {
    const answer = await fetch(`${instance.origin}/api/operator/stats`, {
      headers: { authorization: `Bearer ${instance.operatorToken}` },
    });
    if (!answer.ok) throw new Error(`the operator's figures: ${answer.status} ${await answer.text()}`);
    const { outbox, queue, schedules } = (await answer.json()) as {
      outbox: { rows: number };
      queue: { waiting: number; active: number };
      schedules: readonly object[];
    };
    // Scheduled jobs always wait for their next turn.
    if (outbox.rows === 0 && queue.waiting <= schedules.length && queue.active === 0)
      return (performance.now() - started) / 1000;
    const left = outbox.rows + queue.waiting + queue.active;
    if (left < fewest) deadline = Date.now() + hung;
    fewest = Math.min(fewest, left);
    if (Date.now() > deadline) throw new Error(`${left} jobs are left`);
    await Bun.sleep(200);
  }
}

/** Deletes the outbox rows that the relay has not taken yet, and waits for the jobs that are queued. */
export async function jobsLeftOut(instance: Front, databaseUrl: string): Promise<void> {
  const database = new SQL(databaseUrl, { max: 1 });
  await database.unsafe("DELETE FROM outbox");
  await database.close();
  await jobsDone(instance);
}

export async function send<Answer>(
  instance: Pick<Front, "origin">,
  authorization: string,
  path: string,
  body: unknown,
  method: "POST" | "PATCH" = "POST",
): Promise<Answer> {
  const answer = await fetch(instance.origin + path, {
    method,
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
