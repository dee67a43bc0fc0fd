// The job that takes pictures: of the newest head, once, whoever else comes for it and whatever happens meanwhile.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { pageReportLimits } from "@plinth/contract/limits";
import { newId, uuidOf } from "@plinth/db/columns";

import { purge } from "../retention/purge.ts";
import { runJob, type JobHost } from "../jobs/run.ts";
import { closeThreads } from "../threads/pool.ts";
import { createWorld, type TestPerson, type World } from "../test/context.ts";
import { PaintFailure } from "./painter.ts";
import { testPainter, webp, type TestPainter } from "./test/renderer.ts";

let world: World;
let owner: TestPerson;
let project: string;
let painter: TestPainter;
let host: JobHost;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
  project = (await world.project(owner.token)).slug;
});
beforeEach(async () => {
  painter = testPainter();
  host = { db: world.db, config: world.instance.config, billing: null, painter };
  await world.db.run("DELETE FROM outbox");
});
afterAll(async () => {
  await closeThreads();
  await world.close();
});

interface Row {
  version: number;
  painter: number;
  large: Uint8Array | null;
  failure: string | null;
  claimed: boolean;
}

async function rowOf(artifactId: string): Promise<Row | undefined> {
  const [row] = await world.db.run<Row>(
    `SELECT version_number AS version, painter, large, failure, claimed_until IS NOT NULL AS claimed
     FROM thumbnail WHERE artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  return row;
}

const reportOf = async (artifactId: string, version: number) => {
  const [row] = await world.db.run<{ report: unknown }>(
    "SELECT report FROM page_report WHERE artifact_id = $1 AND version_number = $2",
    [uuidOf("art", artifactId), version],
  );
  return row?.report;
};

const publish = (more: Parameters<World["publish"]>[2] = {}) => world.publish(owner.token, project, more);
const anew = (artifactId: string, content: string) =>
  world.call("version.create", { artifactId, content }, { as: owner.token });
const take = (artifactId: string, isLastTry = false, by = host) =>
  runJob(by, "thumbnail", { artifactId }, "job", isLastTry);

/** The artifacts that jobs in the outbox are to take pictures of. */
const askedFor = async () =>
  (
    await world.db.run<{ id: string }>(
      "SELECT payload->>'artifactId' AS id FROM outbox WHERE kind = 'thumbnail' ORDER BY job_id",
    )
  ).map(({ id }) => id);

/** Takes what has been asked for, until nothing is. */
async function drained(): Promise<void> {
  for (;;) {
    const rows = await world.db.run<{ id: string }>(
      "DELETE FROM outbox WHERE kind = 'thumbnail' RETURNING payload->>'artifactId' AS id",
    );
    if (rows.length === 0) return;
    await Promise.all(rows.map(({ id }) => take(id)));
  }
}

/** A painter that holds on to what it paints. */
function holding() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  painter.meanwhile = () => {
    begun.resolve();
    return ended.promise;
  };
  return { begun: begun.promise, end: ended.resolve };
}

const failing = (reason: "crashed" | "took too long" = "crashed") => {
  painter.meanwhile = () => Promise.reject(new PaintFailure(reason, { errors: [{ message: "Boom" }], console: [] }));
};

test("a new head's job asks for its picture, a new title's does not, and of many published at once each has its own", async () => {
  const made = [await publish(), await publish(), await publish()].map(({ artifactId }) => artifactId);
  await world.db.run("DELETE FROM outbox");
  await runJob(host, "head", { artifactIds: made }, "job");
  expect(await askedFor()).toEqual(made);
  await drained();
  expect(painter.painted).toHaveLength(3);
  await runJob(host, "head", { artifactIds: made }, "job");
  expect(await askedFor()).toEqual([]);
});

test("the picture is kept with what the page said, and taking it once more does nothing", async () => {
  const { artifactId } = await publish();
  painter.report = { errors: [{ message: "x is not defined", line: 3 }], console: [{ level: "log", text: "hello" }] };
  await take(artifactId);
  await take(artifactId);
  expect(painter.painted).toHaveLength(1);
  expect(await rowOf(artifactId)).toEqual({
    version: 1,
    painter: 1,
    large: Buffer.from(webp(1)),
    failure: null,
    claimed: false,
  });
  expect(await reportOf(artifactId, 1)).toEqual(painter.report);
});

test("each type is painted as its readers get it: the document, its policy and its origin", async () => {
  for (const [type, content, part] of [
    ["html", "<p>As it is</p>", "<p>As it is</p>"],
    ["md", "# A title of its own", '<h1 id="a-title-of-its-own">'],
    ["jsx", "export default () => <p>Compiled</p>;", "Compiled"],
  ] as const) {
    const { artifactId } = await publish({ type, content });
    await take(artifactId);
    const document = painter.painted.at(-1);
    expect(document?.html).toContain(part);
    expect(document?.origin).toBe("http://plinth.test");
    const policy = document?.headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(nonce === undefined).toBe(type !== "jsx");
    if (nonce !== undefined) expect(document?.html).toContain(`nonce="${nonce}"`);
  }
});

test("ten versions at once make one picture, the newest", async () => {
  const { artifactId } = await publish();
  for (let n = 2; n <= 10; n++) await anew(artifactId, `# ${n}`);
  await Promise.all(Array.from({ length: 10 }, () => take(artifactId)));
  await drained();
  expect(painter.painted).toHaveLength(1);
  expect(painter.painted[0]?.html).toContain('<h1 id="10">');
  expect((await rowOf(artifactId))?.version).toBe(10);
});

test("who comes while a picture is taken comes again later, and the newer head is painted when that is done", async () => {
  const { artifactId } = await publish();
  const { begun, end } = holding();
  const first = take(artifactId);
  await begun;
  await anew(artifactId, "# Newer");
  await take(artifactId);
  expect(painter.painted).toHaveLength(1);
  // Whoever has the claim may be dead, and this be their own job once more.
  expect(await askedFor()).toEqual([artifactId]);
  end();
  await first;
  expect((await rowOf(artifactId))?.version).toBe(1);
  expect(new Set(await askedFor())).toEqual(new Set([artifactId]));
  await drained();
  expect(painter.painted).toHaveLength(2);
  expect((await rowOf(artifactId))?.version).toBe(2);
  expect(await askedFor()).toEqual([]);
});

test("whatever the order in which versions and jobs come, never two paint at once and the last head is painted", async () => {
  const { artifactId } = await publish();
  let atWork = 0;
  let most = 0;
  painter.meanwhile = async () => {
    most = Math.max(most, ++atWork);
    await Bun.sleep(5);
    atWork--;
  };
  const coming: Promise<void>[] = [];
  for (let n = 2; n <= 20; n++) {
    await anew(artifactId, `# ${n}`);
    coming.push(take(artifactId));
    if (n % 3 === 0) await take(artifactId);
  }
  await Promise.all(coming);
  await drained();
  expect(most).toBe(1);
  expect((await rowOf(artifactId))?.version).toBe(20);
});

test("a holder that died is followed once its claim is past its time, and what it brings then is not kept", async () => {
  const { artifactId } = await publish();
  const { begun, end } = holding();
  const dead = take(artifactId);
  await begun;
  painter.meanwhile = null;
  await take(artifactId);
  expect(painter.painted).toHaveLength(1);
  await world.db.run("UPDATE thumbnail SET claimed_until = now() - interval '1 second' WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  await anew(artifactId, "# Newer");
  await take(artifactId);
  const row = await rowOf(artifactId);
  expect(row).toMatchObject({ version: 2, large: Buffer.from(webp(2)) });
  end();
  await dead;
  expect(await rowOf(artifactId)).toEqual(row);
  expect(await reportOf(artifactId, 1)).toBeUndefined();
});

test("what can't be painted is tried again, and on the last try gets a placeholder for good", async () => {
  const { artifactId } = await publish();
  failing("took too long");
  for (const _ of ["first", "second"])
    expect(await take(artifactId).catch((error: unknown) => error)).toBeInstanceOf(PaintFailure);
  expect(await rowOf(artifactId)).toMatchObject({ version: 0, claimed: false });
  await take(artifactId, true);
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, large: null, failure: "took too long", claimed: false });
  expect(await reportOf(artifactId, 1)).toEqual({ errors: [{ message: "Boom" }], console: [] });
  painter.meanwhile = null;
  await take(artifactId);
  expect(painter.painted).toHaveLength(3);
});

test("a fault that is not the document's is thrown to the last, and leaves the picture to be taken", async () => {
  const { artifactId } = await publish();
  painter.meanwhile = () => Promise.reject(new Error("the browser can't be started"));
  expect(await take(artifactId, true).catch((error: unknown) => error)).toEqual(
    new Error("the browser can't be started"),
  );
  expect(await rowOf(artifactId)).toMatchObject({ version: 0, failure: null, claimed: false });
});

test("a picture of the same version outlives a painter that fails with it", async () => {
  const { artifactId } = await publish();
  await take(artifactId);
  painter.version = 2;
  failing();
  await take(artifactId, true);
  expect(await rowOf(artifactId)).toMatchObject({ painter: 2, large: Buffer.from(webp(1)), failure: "crashed" });
  await anew(artifactId, "# Newer");
  await take(artifactId, true);
  expect(await rowOf(artifactId)).toMatchObject({ version: 2, large: null, failure: "crashed" });
});

test("without a browser that is what is kept, until there is one", async () => {
  const { artifactId } = await publish();
  await take(artifactId, false, { ...host, painter: null });
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, large: null, failure: "no browser", claimed: false });
  expect(await reportOf(artifactId, 1)).toBeUndefined();
  await take(artifactId);
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, failure: null });
});

test("without a browser nothing is asked for: heads are left without, many at once, and who paints is let finish", async () => {
  const without = { ...host, painter: null };
  const made = await Promise.all([publish(), publish(), publish()]);
  const [one = "", painted = "", deleted = ""] = made.map(({ artifactId }) => artifactId);
  await world.call("artifact.delete", { artifactId: deleted }, { as: owner.token });
  const artifactIds = [painted, one, deleted, one, newId("art")];
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(one)).toMatchObject({ version: 1, large: null, failure: "no browser", claimed: false });
  expect(await rowOf(deleted)).toBeUndefined();
  await take(painted);
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(painted)).toMatchObject({ version: 1, failure: null });
  const { begun, end } = holding();
  await anew(painted, "# Newer");
  const taking = take(painted);
  await begun;
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(painted)).toMatchObject({ version: 1, claimed: true });
  end();
  await taking;
  expect(await rowOf(painted)).toMatchObject({ version: 2, failure: null });
  await anew(painted, "# Newest");
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(painted)).toMatchObject({ version: 3, large: null, failure: "no browser" });
  expect(await askedFor()).toEqual([]);
});

test("jsx that does not compile any more has no picture, at once and for good", async () => {
  const { artifactId } = await publish({ type: "jsx", content: "export default () => <p>Once</p>;" });
  const broken = new Bun.CryptoHasher("sha256").update("export default () => <p>").digest("hex");
  await world.db.run("INSERT INTO content (sha256, data, size_bytes) VALUES (decode($1, 'hex'), $2::bytea, 24)", [
    broken,
    Bun.zstdCompressSync("export default () => <p>"),
  ]);
  await world.db.run("UPDATE version SET sha256 = decode($2, 'hex') WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
    broken,
  ]);
  await take(artifactId);
  expect(painter.painted).toHaveLength(0);
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, large: null, failure: "does not compile" });
});

test("of what is deleted or was never there no picture is taken", async () => {
  const { artifactId } = await publish();
  await world.call("artifact.delete", { artifactId }, { as: owner.token });
  await take(artifactId);
  await take(newId("art"));
  expect(painter.painted).toHaveLength(0);
  expect(await rowOf(artifactId)).toBeUndefined();
});

test("what is purged while it is painted leaves nothing behind", async () => {
  const { artifactId } = await publish();
  const { begun, end } = holding();
  const taking = take(artifactId);
  await begun;
  await world.call("artifact.delete", { artifactId }, { as: owner.token });
  await world.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  await purge(world.db, "request");
  end();
  await taking;
  expect(await rowOf(artifactId)).toBeUndefined();
  expect(await reportOf(artifactId, 1)).toBeUndefined();
  expect(await askedFor()).toEqual([]);
});

test("pictures are kept while their artifacts are purged, and neither waits for the other", async () => {
  for (let round = 0; round < 10; round++) {
    const { artifactId } = await publish();
    painter.meanwhile = async () => {
      await world.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
        uuidOf("art", artifactId),
      ]);
    };
    await Promise.all([take(artifactId), Bun.sleep(round).then(() => purge(world.db, "request"))]);
    await purge(world.db, "request");
    expect(await rowOf(artifactId)).toBeUndefined();
  }
});

test("what a page says is cut, and kept whatever characters it is made of", async () => {
  const { artifactId } = await publish();
  const text = `\0\ud800${"x".repeat(2000)}`;
  painter.report = {
    errors: Array.from({ length: 200 }, () => ({ message: text })),
    console: Array.from({ length: 200 }, () => ({ level: "log" as const, text })),
  };
  await take(artifactId);
  const { errors, console } = (await reportOf(artifactId, 1)) as typeof painter.report;
  expect([errors.length, console.length]).toEqual([pageReportLimits.messages, pageReportLimits.messages]);
  expect(errors[0]?.message).toBe(`\ufffd\ufffd${"x".repeat(pageReportLimits.characters - 2)}`);
});
