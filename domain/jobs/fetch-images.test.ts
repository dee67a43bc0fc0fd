// The job that fetches the images of a version: once, within its bounds, and beside other changes of the version.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { requestImages } from "../content/request-locks.ts";
import { examine } from "../doctor/examine.ts";
import { findImageLock, saveImageLock } from "../images/lock.ts";
import { isSettled, resolveImages } from "../images/resolve.ts";
import { pixel } from "../images/test/image-bytes.ts";
import { startImageSite, type ImageSite } from "../images/test/image-site.ts";
import { collectContents } from "../retention/collect.ts";
import { noDeadline } from "../retention/deadline.ts";
import { pruneVersions } from "../retention/prune-versions.ts";
import { purgeArtifacts } from "../retention/purge.ts";
import { publishOld } from "../retention/test/old-artifacts.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { fetchImages, requestLostImages } from "./fetch-images.ts";

setDefaultTimeout(60_000);

let site: ImageSite;
let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  site = startImageSite();
  setup = await createSetup({ remoteImages: true });
  owner = await setup.person({ plan: "free" });
  project = (await setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
  await site.close();
});

const image = (path: string) => `![x](${site.origin}${path})`;
const publish = (...paths: string[]) =>
  setup.publish(owner.token, project, { content: `${crypto.randomUUID()} ${paths.map(image).join(" ")}` });

const run = (artifactId: string, versionNumber = 1, isLastTry = false) =>
  fetchImages(
    { db: setup.db, config: setup.instance.config, fetchUrl: site.fetchUrl },
    { artifactId, versionNumber },
    isLastTry,
  );

const lockOf = (artifactId: string, versionNumber = 1) => findImageLock(setup.db, { artifactId, versionNumber });
const missingOf = async (artifactId: string) =>
  (await lockOf(artifactId))?.entries.map(({ missing }) => missing?.code ?? "kept");

const rowsOf = async (table: "remote_image" | "image_use" | "image_lock") => {
  const [row] = await setup.db.run<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`);
  return row?.rows ?? 0;
};
const kept = async () => [await rowsOf("image_lock"), await rowsOf("image_use"), await rowsOf("remote_image")] as const;

const pathsSince = (before: number) => site.requests.slice(before).map(({ path }) => path);

test("each URL is fetched once, by however many jobs, and each different image kept once", async () => {
  const { artifactId } = await publish("/pixel.png", "/pixel.png", "/mislabelled", "/moving.gif");
  const [locks, uses, images] = await kept();
  const before = site.requests.length;
  for (let time = 0; time < 3; time++) await run(artifactId);
  expect(pathsSince(before).toSorted()).toEqual(["/mislabelled", "/moving.gif", "/pixel.png"]);
  // Two URLs have the same bytes.
  expect(await kept()).toEqual([locks + 1, uses + 2, images + 2]);
});

test("two jobs at once leave what one leaves", async () => {
  const { artifactId } = await publish("/pixel.png", "/moving.gif");
  const [locks, uses, images] = await kept();
  await Promise.all([run(artifactId), run(artifactId)]);
  expect(await kept()).toEqual([locks + 1, uses + 2, images + 2]);
  expect(await missingOf(artifactId)).toEqual(["kept", "kept"]);
});

test("a job waits for another one's lock of the version, and a complete one stays", async () => {
  const { artifactId } = await publish("/gone.png");
  const key = uuidOf("art", artifactId);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run(
      "INSERT INTO image_lock (artifact_id, version_number, entries, is_complete) VALUES ($1, 1, '[]', true)",
      [key],
    );
    const running = run(artifactId);
    await held.untilWaitedFor(running);
    await held.commit();
    await running;
  });
  expect(await lockOf(artifactId)).toEqual({ entries: [], isComplete: true });
});

test("a version that is pruned while its images are fetched gets no lock", async () => {
  const artifactId = await publishOld(setup, owner, project, [100, 90], () =>
    image(`/numbered/${crypto.randomUUID()}`),
  );
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
      uuidOf("art", artifactId),
    ]);
    const running = run(artifactId);
    await held.untilWaitedFor(running);
    await held.run("UPDATE artifact SET pruned_through = 1, oldest_superseded_at = NULL WHERE artifact_id = $1", [
      uuidOf("art", artifactId),
    ]);
    await held.commit();
    await running;
  });
  expect(await lockOf(artifactId)).toBeNull();
  const [version] = await setup.db.run<{ sha256: string }>(
    "SELECT encode(sha256, 'hex') AS sha256 FROM version WHERE artifact_id = $1 AND version_number = 1",
    [uuidOf("art", artifactId)],
  );
  await setup.db.transaction((tx) => collectContents(tx, [version?.sha256 ?? ""]));
});

test("a version that is gone, deleted or of no text with images has nothing fetched", async () => {
  const { artifactId } = await publish("/pixel.png");
  const before = site.requests.length;
  await run(artifactId, 2);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await run(artifactId);
  const content = `export default () => <img src="${site.origin}/pixel.png" />;`;
  const jsx = await setup.publish(owner.token, project, { type: "jsx", content });
  await run(jsx.artifactId);
  expect([pathsSince(before), await lockOf(artifactId), await lockOf(jsx.artifactId)]).toEqual([[], null, null]);
});

test("a pruned version loses its lock, and a purged artifact all of them", async () => {
  const artifactId = await publishOld(setup, owner, project, [100, 90], () =>
    image(`/numbered/${crypto.randomUUID()}`),
  );
  await run(artifactId);
  await run(artifactId, 2);
  await pruneVersions(setup.db, new Date(), "retention", noDeadline);
  expect([await lockOf(artifactId), (await lockOf(artifactId, 2))?.isComplete]).toEqual([null, true]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  await purgeArtifacts(setup.db, "purge", noDeadline);
  expect(await lockOf(artifactId, 2)).toBeNull();
});

test("of a hundred and one images a hundred are fetched, few at once", async () => {
  const { artifactId } = await publish(...Array.from({ length: 101 }, (_, n) => `/numbered/${n}`));
  const before = site.requests.length;
  site.takeMostAtOnce();
  await run(artifactId);
  expect(pathsSince(before)).toHaveLength(100);
  expect(site.takeMostAtOnce()).toBe(2);
  const lock = await lockOf(artifactId);
  expect([lock?.entries.length, lock?.entries.at(-1)?.url]).toEqual([100, `${site.origin}/numbered/99`]);
});

test("after the bytes of a document no further image is asked for", async () => {
  const { artifactId } = await publish(...Array.from({ length: 40 }, (_, n) => `/numbered/of-bytes-${n}`));
  const large = Buffer.concat([pixel, Buffer.alloc(9 * 1024 * 1024)]);
  let asked = 0;
  const fetchUrl: ImageSite["fetchUrl"] = (url) => {
    asked++;
    return Promise.resolve({ status: 200, bytes: large, url });
  };
  const host = { db: setup.db, config: setup.instance.config, fetchUrl };
  await fetchImages(host, { artifactId, versionNumber: 1 }, false);
  // Another one may be under way when the bytes are there.
  expect(asked).toBeLessThanOrEqual(10);
  const missing = await missingOf(artifactId);
  expect([missing?.filter((code) => code === "kept").length, new Set(missing).size]).toEqual([7, 2]);
});

test("what is missing for good is not asked for again, and what is there is not fetched again", async () => {
  const { artifactId } = await publish("/pixel.png", "/gone.png", "/page.png", "/silent.png");
  const before = site.requests.length;
  expect(await run(artifactId).catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(await missingOf(artifactId)).toEqual(["kept", "refused", "no-image", "no-answer"]);
  expect((await lockOf(artifactId))?.isComplete).toBe(false);
  await run(artifactId, 1, true);
  expect(
    pathsSince(before)
      .filter((path) => path !== "/silent.png")
      .toSorted(),
  ).toEqual(["/gone.png", "/page.png", "/pixel.png"]);
  expect(pathsSince(before)).toHaveLength(5);
  expect((await lockOf(artifactId))?.isComplete).toBe(true);
});

test("a host that does not answer is not asked for all of a document's images", async () => {
  const { artifactId } = await publish(...Array.from({ length: 10 }, (_, n) => `/${n}/silent.png`));
  const before = site.requests.length;
  await run(artifactId, 1, true);
  // Another one may be under way when the second is given up.
  expect(pathsSince(before).length).toBeLessThanOrEqual(3);
  expect(await missingOf(artifactId)).toEqual(Array.from({ length: 10 }, () => "no-answer" as const));
});

test("after the document's time no further image is asked for in this attempt", async () => {
  const before = site.requests.length;
  const keeper = { db: setup.db, secret: setup.instance.config.secret, artifactId: (await publish()).artifactId };
  const urls = ["/pixel.png", "/numbered/30"].map((path) => site.origin + path);
  const resolving = { ...keeper, fetchUrl: site.fetchUrl, ownHosts: [], known: new Map() };
  const entries = await resolveImages(resolving, urls, -1);
  expect(entries.map(({ missing }) => missing?.code)).toEqual(["unavailable", "unavailable"]);
  expect([pathsSince(before), isSettled(entries)]).toEqual([[], false]);
});

test("this instance's own images are not fetched: of markdown they are no images of other sites", async () => {
  const own = "http://plinth.test/a/b/c.png";
  const { artifactId } = await setup.publish(owner.token, project, { content: `![x](${own})` });
  await run(artifactId);
  expect(await missingOf(artifactId)).toEqual([]);
  const html = await setup.publish(owner.token, project, { type: "html", content: `<img src="${own}">` });
  await run(html.artifactId);
  expect(await missingOf(html.artifactId)).toEqual(["own-image"]);
});

test("a later version has the images of the one before where they were fetched lately", async () => {
  const { artifactId } = await publish("/numbered/7", "/gone.png");
  await run(artifactId);
  const next = (content: string) => setup.call("version.create", { artifactId, content }, { as: owner.token });
  await next(`second ${image("/numbered/7")} ${image("/gone.png")} ${image("/numbered/8")}`);
  const before = site.requests.length;
  await run(artifactId, 2);
  // One that was missing may be there by now.
  expect(pathsSince(before).toSorted()).toEqual(["/gone.png", "/numbered/8"]);
  await setup.db.run("UPDATE image_lock SET updated_at = now() - interval '2 days'");
  await next(`third ${image("/numbered/7")}`);
  await run(artifactId, 3);
  expect(pathsSince(before).at(-1)).toBe("/numbered/7");
});

test("a restored version has the images that it had", async () => {
  const { artifactId } = await publish("/numbered/9");
  await run(artifactId);
  await setup.call("version.create", { artifactId, content: "x" }, { as: owner.token });
  await setup.call("version.restore", { artifactId, versionNumber: 1 }, { as: owner.token });
  await setup.db.run("UPDATE image_lock SET updated_at = now() - interval '2 days'");
  const before = site.requests.length;
  await run(artifactId, 3);
  expect(pathsSince(before)).toEqual([]);
  expect(await lockOf(artifactId, 3)).toEqual(await lockOf(artifactId));
});

test("a lock names no image that is not kept", async () => {
  const { artifactId } = await publish("/pixel.png");
  const entries = [{ url: `${site.origin}/pixel.png`, image: { key: "0".repeat(64), size: null }, missing: null }];
  const saving = saveImageLock(setup.db, { artifactId, versionNumber: 1 }, { entries, isComplete: true });
  expect(
    await saving.then(
      () => "saved",
      () => "refused",
    ),
  ).toBe("refused");
  expect(await lockOf(artifactId)).toBeNull();
});

test("a job in turns ends its turn, also when it failed for the last time, and a lost one is asked for again", async () => {
  const { artifactId } = await publish("/silent.png");
  const rows = () =>
    setup.db.run("SELECT FROM outbox WHERE kind = 'images' AND payload->>'artifactId' = $1", [artifactId]);
  const handOver = (ago: string) =>
    setup.db.run(`UPDATE outbox SET handed_over_at = now() - interval '${ago}' WHERE kind = 'images'`);
  const key = { artifactId, versionNumber: 1 };
  expect([await requestImages(setup.db, [key]), await requestImages(setup.db, [key])]).toEqual([1, 0]);
  await handOver("2 hours");
  await requestLostImages(setup.db);
  const waiting = await setup.db.run("SELECT FROM outbox WHERE kind = 'images' AND handed_over_at IS NULL");
  expect(waiting).toHaveLength(1);
  await handOver("1 minute");
  await run(artifactId).catch(() => undefined);
  expect(await rows()).toHaveLength(1);
  await run(artifactId, 1, true);
  expect(await rows()).toHaveLength(0);
});

test("the doctor finds nothing after all of this", async () => {
  const found = (await examine(setup.db)).filter(({ problems }) => problems > 0);
  expect(found).toEqual([]);
});
