// Kept images that no version shows: purged after 30 days, and never while a lock that names one is written.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { keepImage } from "../images/resolve.ts";
import { saveImageLock } from "../images/lock.ts";
import { svg } from "../images/test/image-bytes.ts";
import { createSetupWithProject } from "../test/context.ts";
import { noDeadline } from "./deadline.ts";
import { purgeImages } from "./purge-images.ts";
import { isStored, violations } from "./test/old-artifacts.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

/** An image that was fetched so long ago; its text and its key. */
async function keptFor(artifactId: string, days: number) {
  const text = svg(`id="${crypto.randomUUID()}"`);
  const bytes = new TextEncoder().encode(text);
  const { key } = await keepImage(
    { db: setup.db, secret: "s", artifactId },
    { bytes, mediaType: "image/svg+xml", size: null },
  );
  await fetchedAgo(key, days);
  return { text, key };
}

const fetchedAgo = (key: string, days: number) =>
  setup.db.run("UPDATE remote_image SET fetched_at = now() - make_interval(days => $2) WHERE encode(key, 'hex') = $1", [
    key,
    days,
  ]);

const isKept = async (key: string): Promise<boolean> =>
  (await setup.db.run("SELECT FROM remote_image WHERE encode(key, 'hex') = $1", [key])).length === 1;

const lockWith = (artifactId: string, key: string) =>
  saveImageLock(
    setup.db,
    { artifactId, versionNumber: 1 },
    { entries: [{ url: "https://b.example/a", image: { key, size: null }, missing: null }], isComplete: true },
  );

test("an image goes 30 days after it was fetched where no version shows it, with its bytes", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const [unused, young, used] = [
    await keptFor(artifactId, 31),
    await keptFor(artifactId, 29),
    await keptFor(artifactId, 31),
  ];
  await lockWith(artifactId, used.key);
  expect(await purgeImages(setup.db, noDeadline)).toBe(true);
  expect(await Promise.all([unused, young, used].map(({ key }) => isKept(key)))).toEqual([false, true, true]);
  expect(await Promise.all([unused, young, used].map(({ text }) => isStored(setup, text)))).toEqual([
    false,
    true,
    true,
  ]);
  expect(await violations(setup)).toEqual([]);
});

test("bytes that another image or a version has stay", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const { text, key } = await keptFor(artifactId, 31);
  await setup.publish(owner.token, project, { content: text });
  await purgeImages(setup.db, noDeadline);
  expect([await isKept(key), await isStored(setup, text)]).toEqual([false, true]);
});

test("an image that a lock is being written for stays", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const { key } = await keptFor(artifactId, 31);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run(
      "INSERT INTO image_lock (artifact_id, version_number, entries, is_complete) VALUES ($1, 1, '[]', true)",
      [uuidOf("art", artifactId)],
    );
    await held.run("INSERT INTO image_use (artifact_id, version_number, image) VALUES ($1, 1, decode($2, 'hex'))", [
      uuidOf("art", artifactId),
      key,
    ]);
    expect(await purgeImages(setup.db, noDeadline)).toBe(true);
    await held.commit();
  });
  expect(await isKept(key)).toBe(true);
  await purgeImages(setup.db, noDeadline);
  expect(await isKept(key)).toBe(true);
});

test("an image that is fetched again while it is purged is kept again", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const { key, text } = await keptFor(artifactId, 31);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("DELETE FROM remote_image WHERE encode(key, 'hex') = $1", [key]);
    const bytes = new TextEncoder().encode(text);
    const keeping = keepImage(
      { db: setup.db, secret: "s", artifactId },
      { bytes, mediaType: "image/svg+xml", size: null },
    );
    await held.untilWaitedFor(keeping);
    await held.commit();
    await keeping;
  });
  await lockWith(artifactId, key);
  expect([await isKept(key), await isStored(setup, text)]).toEqual([true, true]);
});
