// Jobs of images: workspaces alternate, however many documents one of them has.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { requestImages } from "../content/request-locks.ts";
import { queueConcurrency } from "../queue/kinds.ts";
import { openQueue, type OpenQueue } from "../queue/open-queue.ts";
import { startRelay } from "../queue/relay.ts";
import { turns } from "../queue/turns-of-workspaces.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

/** Asks for the images of so many new documents; their identifiers in order. */
async function request({ token }: TestPerson, count: number): Promise<string[]> {
  const { slug } = await setup.project(token);
  const artifactIds: string[] = [];
  for (let n = 0; n < count; n++) artifactIds.push((await setup.publish(token, slug)).artifactId);
  await setup.db.run("DELETE FROM outbox WHERE kind = 'head'");
  for (const artifactId of artifactIds) await requestImages(setup.db, [{ artifactId, versionNumber: 1 }]);
  return artifactIds;
}

/** Runs a relay until it has handed over as many jobs of images as have room beside those in the queue. */
async function handOver(inQueue: string[]): Promise<void> {
  const none = { waiting: 0, active: 0, failed: 0 };
  const real = openQueue({ databaseUrl: setup.db.url }, () => undefined);
  const looked = Promise.withResolvers<void>();
  let looks = 0;
  const queue: OpenQueue = {
    ...real,
    add: async (added) =>
      void inQueue.push(
        ...added.filter(({ kind }) => kind === "images").map(({ payload }) => String(payload["artifactId"])),
      ),
    countsByQueue: () => {
      // The second look starts after the first one has committed.
      if (++looks === 2) looked.resolve();
      const images = { waiting: inQueue.length, active: 0, failed: 0 };
      return Promise.resolve({ quick: none, billing: none, upkeep: none, thumbnail: none, packages: none, images });
    },
  };
  const relay = startRelay(setup.db, queue, (error) => looked.reject(error));
  relay.wake();
  await looked.promise;
  await relay.stop();
  await real.close();
}

test("many documents of one workspace: the document of another is among the jobs that run at once", async () => {
  const inQueue: string[] = [];
  const many = await request(await setup.person(), 12);
  await handOver(inQueue);
  expect(inQueue).toEqual(many.slice(0, turns.images.placesOfOne));
  const [newcomer = ""] = await request(await setup.person(), 1);
  await handOver(inQueue);
  expect(inQueue.slice(0, queueConcurrency.images)).toContain(newcomer);
});
