// Calls that wake the readers of an artifact: those that changed it, and no others.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";

import { MainThreadWork } from "@plinth/platform/main-thread";

import type { Instance } from "../context.ts";
import { createSetup, type Manner, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let artifactId: string;
let announced: string[];
let instance: Instance;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  ({ artifactId } = await setup.publish(owner.token, (await setup.project(owner.token)).slug));
  instance = { ...setup.instance, publishChange: (id) => announced.push(id) };
});
afterAll(() => setup.close());

/** The artifacts of the change events that a publish emits. */
async function publish(manner: Manner): Promise<string[]> {
  announced = [];
  await setup.answerOf(instance, "version.create", { artifactId, content: "# new" }, { as: owner.token, ...manner });
  return announced;
}

test("a publish wakes the readers of its artifact", async () => {
  expect(await publish({})).toEqual([artifactId]);
});

test("a dry run wakes no reader", async () => {
  expect(await publish({ dryRun: true })).toEqual([]);
});

test("a request with an Idempotency-Key wakes the readers, and its replay does not", async () => {
  expect(await publish({ idempotencyKey: "once" })).toEqual([artifactId]);
  expect(await publish({ idempotencyKey: "once" })).toEqual([]);
});

test("a read wakes no reader", async () => {
  announced = [];
  await setup.answerOf(instance, "artifact.get", { artifactId }, { as: owner.token });
  expect(announced).toEqual([]);
});

test("what the process does while a write waits for other processes is not the write's", async () => {
  const clock = spyOn(process, "threadCpuUsage").mockReturnValue({ user: 0, system: 0 });
  try {
    const tell = async () => {
      await Promise.resolve();
      clock.mockReturnValue({ user: 80_000, system: 0 });
    };
    const write = new MainThreadWork();
    await write.run(() =>
      setup.answerOf(
        { ...instance, leases: { tell } as unknown as Instance["leases"] },
        "version.create",
        { artifactId, content: "# newer" },
        { as: owner.token },
      ),
    );
    expect(clock()).toEqual({ user: 80_000, system: 0 });
    expect(write.end()).toEqual({ sharedMs: 0, aloneMs: 0 });
  } finally {
    clock.mockRestore();
  }
});
