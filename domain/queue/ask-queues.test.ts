import { expect, spyOn, test } from "bun:test";
import type { Queue } from "bullmq";

import { MainThreadWork } from "@plinth/platform/main-thread";

import { askQueues } from "./ask-queues.ts";
import { inTime } from "./in-time.ts";
import { queueNames, type QueueName } from "./kinds.ts";

test("what the process does while a request waits for the queue is not the request's", async () => {
  const clock = spyOn(process, "threadCpuUsage").mockReturnValue({ user: 0, system: 0 });
  try {
    const asked = Promise.withResolvers<unknown[]>();
    const queue = { getJobs: () => asked.promise } as unknown as Queue;
    const queues = Object.fromEntries(queueNames.map((name) => [name, queue])) as Record<QueueName, Queue>;
    const request = new MainThreadWork();
    const listed = request.run(() => askQueues(queues, inTime).list(100, "waiting"));
    clock.mockReturnValue({ user: 80_000, system: 0 });
    asked.resolve([]);
    expect(await listed).toEqual([]);
    expect(request.end()).toEqual({ sharedMs: 0, aloneMs: 0 });
  } finally {
    clock.mockRestore();
  }
});
