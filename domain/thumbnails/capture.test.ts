// The job `thumbnail`: it captures the latest version once, also with concurrent jobs, failures and deletions.
import { afterAll, beforeEach, expect, test } from "bun:test";

import { pageReportLimits } from "@plinth/contract/limits";
import { newId, uuidOf } from "@plinth/db/columns";

import { purge } from "../retention/purge.ts";
import { runJob, type JobHost } from "../jobs/run.ts";
import { closeThreads } from "../threads/pool.ts";
import { createSetupWithProject, type Setup } from "../test/context.ts";
import { CaptureError } from "./renderer.ts";
import { testRenderer, webp, type TestRenderer } from "./test/renderer.ts";

const { setup, owner, project } = await createSetupWithProject();
let renderer: TestRenderer;
let host: JobHost;
beforeEach(async () => {
  renderer = testRenderer();
  host = { db: setup.db, config: setup.instance.config, billing: null, renderer };
  await setup.db.run("DELETE FROM outbox");
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

interface Row {
  version: number;
  painter: number;
  large: Uint8Array | null;
  failure: string | null;
  claimed: boolean;
}

async function rowOf(artifactId: string): Promise<Row | undefined> {
  const [row] = await setup.db.run<Row>(
    `SELECT version_number AS version, painter, large, failure, claimed_until IS NOT NULL AS claimed
     FROM thumbnail WHERE artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  return row;
}

const reportOf = async (artifactId: string, version: number) => {
  const [row] = await setup.db.run<{ report: unknown }>(
    "SELECT report FROM page_report WHERE artifact_id = $1 AND version_number = $2",
    [uuidOf("art", artifactId), version],
  );
  return row?.report;
};

const publish = (more: Parameters<Setup["publish"]>[2] = {}) => setup.publish(owner.token, project, more);
const publishVersion = (artifactId: string, content: string) =>
  setup.call("version.create", { artifactId, content }, { as: owner.token });
const take = (artifactId: string, isLastTry = false, by = host) =>
  runJob(by, "thumbnail", { artifactId }, "job", isLastTry);

/** The artifacts of the screenshot jobs in the outbox. */
const requested = async () =>
  (
    await setup.db.run<{ id: string }>(
      "SELECT payload->>'artifactId' AS id FROM outbox WHERE kind = 'thumbnail' ORDER BY job_id",
    )
  ).map(({ id }) => id);

/** Runs requested jobs until none is left. */
async function runRequested(): Promise<void> {
  for (;;) {
    const rows = await setup.db.run<{ id: string }>(
      "DELETE FROM outbox WHERE kind = 'thumbnail' RETURNING payload->>'artifactId' AS id",
    );
    if (rows.length === 0) return;
    await Promise.all(rows.map(({ id }) => take(id)));
  }
}

/** Makes the renderer wait during a capture. */
function holdCapture() {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  renderer.duringCapture = () => {
    started.resolve();
    return ended.promise;
  };
  return { started: started.promise, end: ended.resolve };
}

const failCaptures = (reason: "crashed" | "took too long" = "crashed") => {
  renderer.duringCapture = () =>
    Promise.reject(new CaptureError(reason, { errors: [{ message: "Boom" }], console: [] }));
};

test("job `head`: it requests a screenshot of each new version, and none after a new title", async () => {
  const made = [await publish(), await publish(), await publish()].map(({ artifactId }) => artifactId);
  await setup.db.run("DELETE FROM outbox");
  await runJob(host, "head", { artifactIds: made }, "job");
  expect(await requested()).toEqual(made);
  await runRequested();
  expect(renderer.captured).toHaveLength(3);
  await runJob(host, "head", { artifactIds: made }, "job");
  expect(await requested()).toEqual([]);
});

test("the screenshot is stored with the page's report, and a second job does nothing", async () => {
  const { artifactId } = await publish();
  renderer.report = { errors: [{ message: "x is not defined", line: 3 }], console: [{ level: "log", text: "hello" }] };
  await take(artifactId);
  await take(artifactId);
  expect(renderer.captured).toHaveLength(1);
  expect(await rowOf(artifactId)).toEqual({
    version: 1,
    painter: 1,
    large: Buffer.from(webp(1)),
    failure: null,
    claimed: false,
  });
  expect(await reportOf(artifactId, 1)).toEqual(renderer.report);
});

test("each type is captured as its readers get it: document, policy and origin", async () => {
  for (const [type, content, part] of [
    ["html", "<p>As it is</p>", "<p>As it is</p>"],
    ["md", "# A title of its own", '<h1 id="a-title-of-its-own">'],
    ["jsx", "export default () => <p>Compiled</p>;", "Compiled"],
  ] as const) {
    const { artifactId } = await publish({ type, content });
    await take(artifactId);
    const document = renderer.captured.at(-1);
    expect(document?.html).toContain(part);
    expect(document?.origin).toBe("http://plinth.test");
    const policy = document?.headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(nonce === undefined).toBe(type !== "jsx");
    if (nonce !== undefined) expect(document?.html).toContain(`nonce="${nonce}"`);
  }
});

test("a document with files is captured among them, and gets no file of another", async () => {
  const file = new TextEncoder().encode("a chart");
  const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
  await setup.call("file.upload", { sha256 }, { as: owner.token, file });
  const files = [{ path: "img/chart one.svg", sha256 }];
  const { artifactId } = await publish({ content: "![](../img/chart%20one.svg)", files, documentPath: "guide/a.md" });
  await take(artifactId);
  const document = renderer.captured.at(-1);
  const root = "/_content/screenshot/files/";
  expect(document?.path).toBe(`${root}guide/`);
  expect(document?.html).toContain(`src="http://plinth.test${root}img/chart%20one.svg"`);
  expect(document?.headers["content-security-policy"]).toContain(`http://plinth.test${root}`);
  const found = await renderer.fileAt?.(`${root}img/chart%20one.svg`);
  expect([found?.bytes, found?.headers["content-type"]]).toEqual([file, "image/svg+xml"]);
  for (const other of [`${root}img/other.svg`, `${root}%zz`, root, "/_content/p/art_1/1/files/img/chart%20one.svg"])
    expect(await renderer.fileAt?.(other)).toBeNull();
});

test("ten versions at once: one screenshot, of the newest", async () => {
  const { artifactId } = await publish();
  for (let n = 2; n <= 10; n++) await publishVersion(artifactId, `# ${n}`);
  await Promise.all(Array.from({ length: 10 }, () => take(artifactId)));
  await runRequested();
  expect(renderer.captured).toHaveLength(1);
  expect(renderer.captured[0]?.html).toContain('<h1 id="10">');
  expect((await rowOf(artifactId))?.version).toBe(10);
});

test("a job during a capture is requested again, and a newer version is captured afterwards", async () => {
  const { artifactId } = await publish();
  const { started, end } = holdCapture();
  const first = take(artifactId);
  await started;
  await publishVersion(artifactId, "# Newer");
  await take(artifactId);
  expect(renderer.captured).toHaveLength(1);
  // The worker with the claim may have been killed, and this may be the retry of its job.
  expect(await requested()).toEqual([artifactId]);
  end();
  await first;
  expect((await rowOf(artifactId))?.version).toBe(1);
  expect(new Set(await requested())).toEqual(new Set([artifactId]));
  await runRequested();
  expect(renderer.captured).toHaveLength(2);
  expect((await rowOf(artifactId))?.version).toBe(2);
  expect(await requested()).toEqual([]);
});

test("versions and jobs in any order: one capture at a time, and the latest version is captured", async () => {
  const { artifactId } = await publish();
  let atWork = 0;
  let most = 0;
  renderer.duringCapture = async () => {
    most = Math.max(most, ++atWork);
    await Bun.sleep(5);
    atWork--;
  };
  const coming: Promise<void>[] = [];
  for (let n = 2; n <= 20; n++) {
    await publishVersion(artifactId, `# ${n}`);
    coming.push(take(artifactId));
    if (n % 3 === 0) await take(artifactId);
  }
  await Promise.all(coming);
  await runRequested();
  expect(most).toBe(1);
  expect((await rowOf(artifactId))?.version).toBe(20);
});

test("an expired claim passes to another worker, and the first worker's late result is not stored", async () => {
  const { artifactId } = await publish();
  const { started, end } = holdCapture();
  const dead = take(artifactId);
  await started;
  renderer.duringCapture = null;
  await take(artifactId);
  expect(renderer.captured).toHaveLength(1);
  await setup.db.run("UPDATE thumbnail SET claimed_until = now() - interval '1 second' WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  await publishVersion(artifactId, "# Newer");
  await take(artifactId);
  const row = await rowOf(artifactId);
  expect(row).toMatchObject({ version: 2, large: Buffer.from(webp(2)) });
  end();
  await dead;
  expect(await rowOf(artifactId)).toEqual(row);
  expect(await reportOf(artifactId, 1)).toBeUndefined();
});

test("a document that cannot be captured is tried again, and the last try stores a placeholder", async () => {
  const { artifactId } = await publish();
  failCaptures("took too long");
  for (const _ of ["first", "second"])
    expect(await take(artifactId).catch((error: unknown) => error)).toBeInstanceOf(CaptureError);
  expect(await rowOf(artifactId)).toMatchObject({ version: 0, claimed: false });
  await take(artifactId, true);
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, large: null, failure: "took too long", claimed: false });
  expect(await reportOf(artifactId, 1)).toEqual({ errors: [{ message: "Boom" }], console: [] });
  renderer.duringCapture = null;
  await take(artifactId);
  expect(renderer.captured).toHaveLength(3);
});

test("an error that the document did not cause is thrown on the last try too, and the screenshot stays pending", async () => {
  const { artifactId } = await publish();
  renderer.duringCapture = () => Promise.reject(new Error("the browser can't be started"));
  expect(await take(artifactId, true).catch((error: unknown) => error)).toEqual(
    new Error("the browser can't be started"),
  );
  expect(await rowOf(artifactId)).toMatchObject({ version: 0, failure: null, claimed: false });
});

test("a newer renderer's failure keeps the screenshot of the same version", async () => {
  const { artifactId } = await publish();
  await take(artifactId);
  renderer.version = 2;
  failCaptures();
  await take(artifactId, true);
  expect(await rowOf(artifactId)).toMatchObject({ painter: 2, large: Buffer.from(webp(1)), failure: "crashed" });
  await publishVersion(artifactId, "# Newer");
  await take(artifactId, true);
  expect(await rowOf(artifactId)).toMatchObject({ version: 2, large: null, failure: "crashed" });
});

test("without a browser: a placeholder is stored, until a worker has a browser", async () => {
  const { artifactId } = await publish();
  await take(artifactId, false, { ...host, renderer: null });
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, large: null, failure: "no browser", claimed: false });
  expect(await reportOf(artifactId, 1)).toBeUndefined();
  await take(artifactId);
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, failure: null });
});

test("without a browser: job `head` stores placeholders and requests nothing, and a running capture finishes", async () => {
  const without = { ...host, renderer: null };
  const made = await Promise.all([publish(), publish(), publish()]);
  const [one = "", captured = "", deleted = ""] = made.map(({ artifactId }) => artifactId);
  await setup.call("artifact.delete", { artifactId: deleted }, { as: owner.token });
  const artifactIds = [captured, one, deleted, one, newId("art")];
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(one)).toMatchObject({ version: 1, large: null, failure: "no browser", claimed: false });
  expect(await rowOf(deleted)).toBeUndefined();
  await take(captured);
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(captured)).toMatchObject({ version: 1, failure: null });
  const { started, end } = holdCapture();
  await publishVersion(captured, "# Newer");
  const capturing = take(captured);
  await started;
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(captured)).toMatchObject({ version: 1, claimed: true });
  end();
  await capturing;
  expect(await rowOf(captured)).toMatchObject({ version: 2, failure: null });
  await publishVersion(captured, "# Newest");
  await runJob(without, "head", { artifactIds }, "job");
  expect(await rowOf(captured)).toMatchObject({ version: 3, large: null, failure: "no browser" });
  expect(await requested()).toEqual([]);
});

test("jsx that no longer compiles gets a placeholder on the first try", async () => {
  const { artifactId } = await publish({ type: "jsx", content: "export default () => <p>Once</p>;" });
  const broken = new Bun.CryptoHasher("sha256").update("export default () => <p>").digest("hex");
  await setup.db.run("INSERT INTO content (sha256, data, size_bytes) VALUES (decode($1, 'hex'), $2::bytea, 24)", [
    broken,
    Bun.zstdCompressSync("export default () => <p>"),
  ]);
  await setup.db.run("UPDATE version SET sha256 = decode($2, 'hex') WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
    broken,
  ]);
  await take(artifactId);
  expect(renderer.captured).toHaveLength(0);
  expect(await rowOf(artifactId)).toMatchObject({ version: 1, large: null, failure: "does not compile" });
});

test("an artifact that is deleted or does not exist is not captured", async () => {
  const { artifactId } = await publish();
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await take(artifactId);
  await take(newId("art"));
  expect(renderer.captured).toHaveLength(0);
  expect(await rowOf(artifactId)).toBeUndefined();
});

test("an artifact that is purged during its capture leaves no row", async () => {
  const { artifactId } = await publish();
  const { started, end } = holdCapture();
  const capturing = take(artifactId);
  await started;
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  await purge(setup.db, "request");
  end();
  await capturing;
  expect(await rowOf(artifactId)).toBeUndefined();
  expect(await reportOf(artifactId, 1)).toBeUndefined();
  expect(await requested()).toEqual([]);
});

test("storing a screenshot and purging its artifact at once: no deadlock and no row", async () => {
  for (let round = 0; round < 10; round++) {
    const { artifactId } = await publish();
    renderer.duringCapture = async () => {
      await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
        uuidOf("art", artifactId),
      ]);
    };
    await Promise.all([take(artifactId), Bun.sleep(round).then(() => purge(setup.db, "request"))]);
    await purge(setup.db, "request");
    expect(await rowOf(artifactId)).toBeUndefined();
  }
});

test("a page's report is cut and made valid text", async () => {
  const { artifactId } = await publish();
  const text = `\0\ud800${"x".repeat(2000)}`;
  renderer.report = {
    errors: Array.from({ length: 200 }, () => ({ message: text })),
    console: Array.from({ length: 200 }, () => ({ level: "log" as const, text })),
  };
  await take(artifactId);
  const { errors, console } = (await reportOf(artifactId, 1)) as typeof renderer.report;
  expect([errors.length, console.length]).toEqual([pageReportLimits.messages, pageReportLimits.messages]);
  expect(errors[0]?.message).toBe(`\ufffd\ufffd${"x".repeat(pageReportLimits.characters - 2)}`);
});
