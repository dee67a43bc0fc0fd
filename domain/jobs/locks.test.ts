// Jobs that wait for what another process holds, or leave it to that process.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { newId, uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { mailInvitation } from "../mail/invitation-mail.ts";
import { openQueue, whileAlone } from "../queue/open-queue.ts";
import type { OutboxRow } from "../queue/outbox.ts";
import { startRelay } from "../queue/relay.ts";
import { removeEvents } from "../retention/remove-events.ts";
import { daysAgo } from "../retention/test/old-artifacts.ts";
import { noDeadline } from "../retention/deadline.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { writeSearchDocuments } from "./search-document.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person({ plan: "team" });
});
afterAll(() => setup.close());

const hold = <Result>(work: Parameters<typeof holdTransaction<Result>>[1]) => holdTransaction(setup.db.url, work);

test("a search document waits for the move of its project and is listed in the new workspace", async () => {
  const { slug, projectId } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, slug);
  const { workspaceId } = await setup.team({ [owner.userId]: "admin" });
  const [project, place, artifact] = [uuidOf("prj", projectId), uuidOf("wsp", workspaceId), uuidOf("art", artifactId)];
  await hold(async (held) => {
    await held.run("SELECT FROM project WHERE project_id = $1 FOR UPDATE", [project]);
    await held.run("UPDATE project SET workspace_id = $2 WHERE project_id = $1", [project, place]);
    const writing = writeSearchDocuments(setup.db, [artifactId]);
    await held.untilWaitedFor(writing);
    await held.commit();
    await writing;
  });
  const [row] = await setup.db.run<{ place: string }>(
    "SELECT workspace_id AS place FROM artifact_order WHERE artifact_id = $1 LIMIT 1",
    [artifact],
  );
  expect(row?.place).toBe(place);
});

test("schedules are written by one process at a time", async () => {
  await hold(async (held) => {
    await held.run("SELECT pg_advisory_xact_lock(hashtextextended('plinth:schedules', 0))");
    let isAlone = false;
    const work = whileAlone({ databaseUrl: setup.db.url }, async () => {
      isAlone = true;
    });
    await held.untilWaitedFor(work);
    expect(isAlone).toBe(false);
    await held.commit();
    await work;
    expect(isAlone).toBe(true);
  });
});

test("an invitation that another worker mails is waited for and not mailed again", async () => {
  const as = await setup.session(owner.userId);
  const wanted = { workspaceId: owner.workspaceId, email: "invited@example.org", role: "viewer" as const };
  const { invitationId } = await setup.call("invitation.create", wanted, { as });
  const id = uuidOf("inv", invitationId);
  // There is no server at this address: a mail that is sent fails the job.
  const mail = { url: "smtp://plinth:none@127.0.0.1:1", from: "plinth@example.org" };
  await hold(async (held) => {
    await held.run("SELECT pg_advisory_xact_lock(hashtextextended('mail:' || $1, 0))", [id]);
    const mailing = mailInvitation({ db: setup.db, config: { ...setup.instance.config, mail } }, invitationId);
    await held.untilWaitedFor(mailing);
    await held.run("UPDATE invitation SET mailed_at = now() WHERE invitation_id = $1", [id]);
    await held.commit();
    await mailing;
  });
});

for (const kind of ["renderings", "head"])
  test(`the relay leaves a row of ${kind} that another relay has and hands over the others without waiting`, async () => {
    const queue = openQueue({ databaseUrl: setup.db.url }, () => undefined);
    await setup.db.run("DELETE FROM outbox");
    const insert = `INSERT INTO outbox (job_id, kind, payload) VALUES ($1, $2, '{"artifactIds": []}')`;
    const [taken, free] = [uuidOf("job", newId("job")), uuidOf("job", newId("job"))];
    for (const id of [taken, free]) await setup.db.run(insert, [id, kind]);
    await hold(async (held) => {
      await held.run("SELECT FROM outbox WHERE job_id = $1 FOR UPDATE", [taken]);
      const relay = startRelay(setup.db, queue, () => undefined);
      relay.wake();
      while ((await setup.count("outbox")) > 1) {
        expect(await held.isWaitedFor()).toBe(false);
        await Bun.sleep(2);
      }
      await relay.stop();
      const left = await setup.db.run<{ id: string }>("SELECT job_id AS id FROM outbox");
      expect(left.map(({ id }) => id)).toEqual([taken]);
    });
    await queue.close();
  }, 30_000);

/** A screenshot job that waits for its turn. */
async function waitingScreenshot(): Promise<string> {
  await setup.db.run("DELETE FROM outbox");
  const id = uuidOf("job", newId("job"));
  await setup.db.run(
    `INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
     VALUES ($1, 'thumbnail', '{"artifactId": "art_none"}', 'thumbnail none', $2)`,
    [id, uuidOf("wsp", owner.workspaceId)],
  );
  return id;
}

/** A queue with room for everything that keeps what it gets; `looked` ends when the relay has looked twice. */
function keepingQueue() {
  const added: string[] = [];
  const looked = Promise.withResolvers<void>();
  const none = { waiting: 0, active: 0, failed: 0 };
  let looks = 0;
  const real = openQueue({ databaseUrl: setup.db.url }, () => undefined);
  const queue = {
    ...real,
    add: async (rows: readonly OutboxRow[]) => void added.push(...rows.map(({ jobId }) => uuidOf("job", jobId))),
    countsByQueue: async () => {
      // The second look begins after the first one has committed.
      if (++looks === 2) looked.resolve();
      return { quick: none, billing: none, upkeep: none, packages: none, images: none, thumbnail: none };
    },
  };
  return { added, looked: looked.promise, queue };
}

test("a relay whose turn another relay has hands over no screenshot, without waiting", async () => {
  const id = await waitingScreenshot();
  const { added, looked, queue } = keepingQueue();
  await hold(async (held) => {
    await held.run("SELECT pg_advisory_xact_lock(hashtextextended('plinth:screenshot-turns', 0))");
    const relay = startRelay(setup.db, queue, () => undefined);
    relay.wake();
    await looked;
    expect(added).toEqual([]);
    await held.commit();
    relay.wake();
    while (added.length === 0) await Bun.sleep(2);
    await relay.stop();
  });
  expect(added).toEqual([id]);
  await queue.close();
}, 30_000);

test("a relay that waits for another one's hand-over of a screenshot does not hand it over again", async () => {
  const id = await waitingScreenshot();
  const { added, looked, queue } = keepingQueue();
  await hold(async (held) => {
    await held.run("UPDATE outbox SET handed_over_at = now() WHERE job_id = $1", [id]);
    const relay = startRelay(setup.db, queue, () => undefined);
    relay.wake();
    await held.untilWaitedFor(looked);
    await held.commit();
    await looked;
    await relay.stop();
  });
  expect(added).toEqual([]);
  await queue.close();
}, 30_000);

test("a run of retention leaves an event that another run has and removes the others without waiting", async () => {
  const [taken, free] = [1, 2].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
  for (const id of [taken, free])
    await setup.db.run(
      `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, target_type, target_id, request_id)
       VALUES ($1, $2, 'workspace.updated', '{}', 'api', NULL, 'workspace', 'test', 'locked')`,
      [id, daysAgo(500)],
    );
  const left = async () =>
    (await setup.db.run<{ id: string }>("SELECT event_id AS id FROM audit_event WHERE request_id = 'locked'")).map(
      ({ id }) => id,
    );
  await hold(async (held) => {
    await held.run("SELECT FROM audit_event WHERE event_id = $1 FOR UPDATE", [taken]);
    await removeEvents(setup.db, new Date(), noDeadline);
    expect(await left()).toEqual([taken ?? ""]);
  });
  await removeEvents(setup.db, new Date(), noDeadline);
  expect(await left()).toEqual([]);
});
