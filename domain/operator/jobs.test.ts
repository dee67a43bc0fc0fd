import { afterAll, beforeAll, expect, test } from "bun:test";
import { UnrecoverableError } from "bullmq";

import { newId } from "@plinth/db/columns";

import type { Call } from "../access/call.ts";
import { createInstance } from "../instance.ts";
import { invoke } from "../request/invoke.ts";
import { answerOf } from "../request/outcome.ts";
import type { OpenQueue } from "../queue/open-queue.ts";
import { openedQueue } from "../test/opened-queue.ts";
import { openWorker } from "../queue/open-worker.ts";
import { createSetup, operatorToken, type Setup } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";

let setup: Setup;
let queue: OpenQueue;
/** BullMQ mends a lost connection by itself; what it says of one is for the log. */
const ignoreError = () => undefined;
beforeAll(async () => {
  setup = await createSetup();
  queue = await openedQueue({ databaseUrl: setup.db.url }, ignoreError);
});
afterAll(async () => {
  await queue.close();
  await setup.close();
});

test("a failed job is listed, tried again once, and that is audited", async () => {
  const place = { databaseUrl: setup.db.url };
  const jobId = newId("job");
  const failed = Promise.withResolvers<void>();
  const worker = openWorker(
    place,
    () => {
      failed.resolve();
      return Promise.reject(new UnrecoverableError("not today"));
    },
    ignoreError,
  );
  await queue.add([{ jobId, kind: "purge", payload: {} }]);
  await failed.promise;
  while ((await queue.counts()).failed === 0) await Bun.sleep(20);
  await worker.close();

  const instance = createInstance({ config: setup.instance.config, db: setup.db, queue });
  const call: Call = {
    credential: { kind: "operator", hash: tokenHash(operatorToken) },
    surface: "api",
    requestId: "retried-request",
    address: "",
  };
  const ask = (name: "operator.listJobs" | "operator.retryJob" | "operator.stats", input: object) =>
    invoke(instance, call, name, { input: { ...input }, errors: [] })
      .then(answerOf)
      .then(
        (answer) => answer.value,
        (error: { code: string }) => error.code,
      );
  expect(await ask("operator.listJobs", {})).toMatchObject({
    jobs: [{ jobId, kind: "purge", state: "failed", attempts: 1, error: "not today" }],
  });
  expect(await ask("operator.stats", {})).toMatchObject({ queue: { failed: 1 } });
  expect(await ask("operator.retryJob", { jobId })).toMatchObject({ jobId, state: "waiting" });
  expect(await ask("operator.retryJob", { jobId })).toBe("not_found");
  expect(await ask("operator.retryJob", { jobId: "nothing" })).toBe("not_found");
  expect(await queue.counts()).toMatchObject({ waiting: 1, failed: 0 });
  const events = await setup.db.run("SELECT kind, target_id, after FROM audit_event WHERE request_id = $1", [
    call.requestId,
  ]);
  expect(events).toEqual([
    { kind: "operator.job_run", target_id: jobId, after: { jobId, kind: "purge", retried: true } },
  ]);
});
