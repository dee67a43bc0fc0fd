// Streams of one process: what they receive, how far, when they end, and how many there may be.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { membership } from "@plinth/db/schema/accounts";
import { eq } from "drizzle-orm";
import { uuidOf } from "@plinth/db/columns";

import { createInstance } from "../instance.ts";
import type { Watching } from "../services.ts";
import { createSetup, type Manner, type TestPerson, type Setup } from "../test/context.ts";
import type { Bounds } from "./quota.ts";
import { until, watch } from "./test/listener.ts";
import { createWatching } from "./watching.ts";

let setup: Setup;
let owner: TestPerson;
let projectSlug: string;
let artifactId: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  projectSlug = (await setup.project(owner.token)).slug;
});
beforeEach(async () => {
  ({ artifactId } = await setup.publish(owner.token, projectSlug));
});
afterAll(() => setup.close());

const as = () => ({ as: owner.token });
const publish = (changelog?: string) =>
  setup.call("version.create", { artifactId, content: setup.name(), ...(changelog && { changelog }) }, as());
const publishTo = async (latest: number) => {
  while ((await publish()).versionNumber < latest);
};
const hide = () =>
  setup.db.run(
    "UPDATE artifact SET public_view = false, access_revision = access_revision + 1 WHERE artifact_id = $1",
    [uuidOf("art", artifactId)],
  );
const changeAccess = () =>
  setup.db.run("UPDATE artifact SET access_revision = access_revision + 1 WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);

describe("events that a stream receives", () => {
  test("each version, with what its list says of it", async () => {
    const stream = await watch(setup, artifactId);
    expect(stream.attachment.cursor).toEqual({ version: 1, access: 1 });
    const version = await publish("A change");
    await until(() => stream.received.length === 1);
    const { versionNumber, changelog, createdAt } = version;
    expect(stream.events[0]).toEqual({
      event: "version",
      data: { artifactId, versionNumber, changelog, createdAt },
      cursor: { version: 2, access: 1 },
    });
    stream.attachment.detach();
  });

  test("versions that are published at once, each once and in order, to everyone", async () => {
    const streams = await Promise.all([
      watch(setup, artifactId),
      watch(setup, artifactId, as()),
      watch(setup, artifactId),
    ]);
    await Promise.all(Array.from({ length: 20 }, () => publish()));
    const expected = Array.from({ length: 20 }, (_, n) => `version ${n + 2}.1`);
    await until(() => streams.every(({ received }) => received.length >= expected.length));
    for (const { received, attachment } of streams) {
      expect(received).toEqual(expected);
      attachment.detach();
    }
  });

  test("a change of access that leaves it", async () => {
    const stream = await watch(setup, artifactId, as());
    await hide();
    await until(() => stream.received.length === 1);
    expect(stream.events).toEqual([
      { event: "access", data: { artifactId, canView: true, publicView: false }, cursor: { version: 1, access: 2 } },
    ]);
    stream.attachment.detach();
  });

  test("nothing of a dry run, and nothing of what was refused", async () => {
    const stream = await watch(setup, artifactId);
    await setup.call("version.create", { artifactId, content: "x" }, { ...as(), dryRun: true });
    await setup.refusal("version.create", { artifactId, content: "x", expectedLatestVersion: 7 }, as());
    await publish();
    await until(() => stream.received.length > 0);
    expect(stream.received).toEqual(["version 2.1"]);
    stream.attachment.detach();
  });
});

describe("going on", () => {
  test("after the last event: every version since, then the change of access", async () => {
    await publishTo(4);
    await changeAccess();
    await changeAccess();
    const stream = await watch(setup, artifactId, {}, "2.1");
    await until(() => stream.received.length === 3);
    expect(stream.received).toEqual(["version 3.1", "version 4.1", "access 4.3"]);
    stream.attachment.detach();
  });

  test("after a long absence: the newest hundred", async () => {
    const rows = Array.from({ length: 248 }, (_, n) => n + 2);
    await setup.db.run(
      `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
       SELECT v.artifact_id, n::int, v.sha256, v.size_bytes, v.created_by
       FROM version v, json_array_elements_text($2::text::json) n WHERE v.artifact_id = $1`,
      [uuidOf("art", artifactId), JSON.stringify(rows)],
    );
    await setup.db.run("UPDATE artifact SET latest_version = 249 WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    const stream = await watch(setup, artifactId, {}, "7.1");
    await until(() => stream.received.length >= 100);
    expect(stream.received).toEqual(Array.from({ length: 100 }, (_, n) => `version ${150 + n}.1`));
    stream.attachment.detach();
  });

  test("a reader without room receives events later, and none twice", async () => {
    const slow = await watch(setup, artifactId);
    const quick = await watch(setup, artifactId);
    slow.room = false;
    await publishTo(4);
    await until(() => quick.received.length === 3);
    expect(slow.received).toEqual([]);
    slow.room = true;
    slow.attachment.look();
    await until(() => slow.received.length === 3);
    expect(slow.received).toEqual(quick.received);
    slow.attachment.detach();
    quick.attachment.detach();
  });
});

describe("the end", () => {
  const lost = () => ({ event: "access" as const, data: { artifactId, canView: false } });

  test("deleted: every reader receives it", async () => {
    const streams = [await watch(setup, artifactId), await watch(setup, artifactId, as())];
    await setup.call("artifact.delete", { artifactId }, as());
    await until(() => streams.every(({ ended }) => ended));
    for (const { events } of streams) expect(events).toEqual([{ event: "deleted", data: { artifactId } }]);
  });

  test("made private, then deleted before the next sweep: a stranger learns of neither", async () => {
    const stranger = await watch(setup, artifactId);
    await setup.db.run("UPDATE artifact SET public_view = false, deleted_at = now() WHERE artifact_id = $1", [
      uuidOf("art", artifactId),
    ]);
    await until(() => stranger.ended);
    expect(stranger.events).toEqual([lost()]);
  });

  test("a version after the artifact was made private: strangers receive nothing", async () => {
    const stranger = await watch(setup, artifactId);
    const member = await watch(setup, artifactId, as());
    await hide();
    await publish("secret");
    await until(() => stranger.ended && member.received.length === 2);
    expect(stranger.events).toEqual([lost()]);
    expect(member.events.map(({ event }) => event).toSorted()).toEqual(["access", "version"]);
    member.attachment.detach();
  });

  test.each(["membership", "allowlist", "session", "key", "expired key", "share link", "expired share link"])(
    "access that ends without an event: %s",
    async (how) => {
      const reader = await setup.person({ plan: "free" });
      const { workspaceId, slug } = await setup.team({ [owner.userId]: "admin", [reader.userId]: "viewer" });
      const project = await setup.project(owner.token, slug);
      const access = {
        publicView: false,
        publicEdit: false,
        viewerEmails: how === "allowlist" ? [`${reader.username}@example.org`] : [],
      };
      ({ artifactId } = await setup.publish(owner.token, project.slug, { ownerUsername: slug, access }));
      const artifact = uuidOf("art", artifactId);
      if (how === "allowlist") await setup.db.orm.delete(membership).where(eq(membership.userId, reader.userId));
      const link = crypto.randomUUID();
      const hash = new Bun.CryptoHasher("sha256").update(link).digest("hex");
      if (how.endsWith("share link")) {
        await setup.db.run(
          `INSERT INTO share_link (share_link_id, artifact_id, role, hash, created_by)
           VALUES ($1, $2, 'viewer', decode($3, 'hex'), '{"type":"system","id":"test","label":"Test"}'::jsonb)`,
          [link, artifact, hash],
        );
      }
      const manner = how.endsWith("share link")
        ? { share: { hash } }
        : { as: how === "session" ? await setup.session(reader.userId) : reader.token };
      const stream = await watch(setup, artifactId, manner);
      const endings: Record<string, [string, unknown[]]> = {
        membership: ["DELETE FROM membership WHERE workspace_id = $1", [uuidOf("wsp", workspaceId)]],
        allowlist: ["UPDATE artifact SET viewer_emails = '{}' WHERE artifact_id = $1", [artifact]],
        session: ["DELETE FROM session WHERE user_id = $1", [uuidOf("usr", reader.userId)]],
        key: ["UPDATE credential SET revoked_at = now() WHERE user_id = $1", [uuidOf("usr", reader.userId)]],
        "expired key": ["UPDATE credential SET expires_at = now() WHERE user_id = $1", [uuidOf("usr", reader.userId)]],
        "share link": ["UPDATE share_link SET revoked_at = now() WHERE share_link_id = $1", [link]],
        "expired share link": ["UPDATE share_link SET expires_at = now() WHERE share_link_id = $1", [link]],
      };
      const [statement, parameters] = endings[how] ?? ["", []];
      await setup.db.run(statement, parameters);
      await until(() => stream.ended);
      expect(stream.events).toEqual([lost()]);
    },
  );

  test("of a session on what anyone may see: it goes on", async () => {
    const stream = await watch(setup, artifactId, { as: await setup.session(owner.userId) });
    await setup.db.run("DELETE FROM session WHERE user_id = $1", [uuidOf("usr", owner.userId)]);
    await publish();
    await until(() => stream.received.length === 1);
    expect(stream).toMatchObject({ received: ["version 2.1"], ended: false });
    stream.attachment.detach();
  });

  test("of the server: every stream at once, and no more are taken", async () => {
    const instance = createInstance({ config: setup.instance.config, db: setup.db, queue: setup.instance.queue });
    const stream = await watchOf(setup, instance);
    instance.watching.close();
    expect(stream).toMatchObject({ ended: true, events: [] });
    expect(instance.watching.openStreams()).toBe(0);
    expect(await watchOf(setup, instance).catch((error: unknown) => error)).toMatchObject({ code: "unavailable" });
  });
});

const watchBy = (watching: Watching) => watchOf(setup, { ...setup.instance, watching });
const watchOf = (other: Setup, instance: Setup["instance"]) =>
  watch({ ...other, answer: (name, input, manner) => setup.answerOf(instance, name, input, manner) }, artifactId);

test("while the database is away nothing is said, once it is written down, and then it goes on", async () => {
  const faults: unknown[] = [];
  let away = false;
  const db: Setup["db"] = {
    ...setup.db,
    get orm() {
      return setup.db.orm;
    },
    run: (...asked) => (away ? Promise.reject(new Error("away")) : setup.db.run(...asked)) as Promise<never>,
  };
  const watching = createWatching({ db, cache: setup.instance.cache, fault: (error) => faults.push(error) });
  const stream = await watchBy(watching);
  away = true;
  await publish();
  watching.wake(artifactId);
  await until(() => faults.length > 0);
  watching.wake(artifactId);
  await Bun.sleep(10);
  expect(stream).toMatchObject({ received: [], ended: false });
  away = false;
  await until(() => stream.received.length === 1);
  expect(faults).toHaveLength(1);
  watching.close();
});

test("heartbeats: a stream that accepts none of two is ended", async () => {
  const watching = createWatching({
    db: setup.db,
    cache: setup.instance.cache,
    fault: () => undefined,
    heartbeatEveryMs: 5,
  });
  const [quick, backpressured] = [await watchBy(watching), await watchBy(watching)];
  backpressured.room = false;
  await until(() => backpressured.ended && quick.beats > 3);
  expect([quick.ended, backpressured.beats, backpressured.events]).toEqual([false, 0, []]);
  expect(watching.openStreams()).toBe(1);
  watching.close();
});

describe("bounds", () => {
  const bounded = (bounds: Bounds) => {
    const watching = createWatching({ db: setup.db, cache: setup.instance.cache, fault: () => undefined, bounds });
    const answer: Setup["answer"] = (...asked) => setup.answerOf({ ...setup.instance, watching }, ...asked);
    return { watching, open: (of: string, manner: Manner) => watch({ ...setup, answer }, of, manner) };
  };
  const code = (opening: Promise<unknown>) =>
    opening.then(
      () => "open",
      (error: { code: string }) => error.code,
    );

  test("an address has so many streams of one artifact, so many of all, and a process holds so many", async () => {
    const other = await setup.publish(owner.token, projectSlug);
    const { watching, open } = bounded({
      address: { ofArtifact: 2, ofCaller: 3 },
      person: { ofArtifact: 0, ofCaller: 0 },
      ofProcess: 4,
    });
    const from = (address: string, of = artifactId) => open(of, { address });
    const first = await from("192.0.2.1");
    await from("192.0.2.1");
    expect(await from("192.0.2.1").catch((error: unknown) => error)).toMatchObject({
      code: "rate_limited",
      message: "More than 2 event streams of this artifact at once",
      extra: { retryAfterSeconds: 10 },
    });
    await from("192.0.2.1", other.artifactId);
    expect(await from("192.0.2.1", other.artifactId).catch((error: unknown) => error)).toMatchObject({
      code: "rate_limited",
      message: "More than 3 event streams at once",
    });
    // The same artifact from another address is another pair.
    await from("192.0.2.2");
    expect(await from("192.0.2.3").catch((error: unknown) => error)).toMatchObject({
      code: "unavailable",
      extra: { retryAfterSeconds: 10 },
    });
    first.attachment.detach();
    first.attachment.detach();
    const again = await from("192.0.2.1");
    expect(await code(from("192.0.2.3"))).toBe("unavailable");
    again.attachment.detach();
    expect(watching.openStreams()).toBe(3);
    watching.close();
    expect(watching.openStreams()).toBe(0);
  });

  test("the usual bounds: 256 readers of one artifact behind one address, 1,024 streams of that address", async () => {
    const watching = createWatching({ db: setup.db, cache: setup.instance.cache, fault: () => undefined });
    const answer: Setup["answer"] = (...asked) => setup.answerOf({ ...setup.instance, watching }, ...asked);
    const open = (of: string) => watch({ ...setup, answer }, of, { address: "192.0.2.1" });
    const artifacts = [artifactId];
    while (artifacts.length < 5) artifacts.push((await setup.publish(owner.token, projectSlug)).artifactId);
    for (const of of artifacts.slice(0, 4)) {
      await Promise.all(Array.from({ length: 256 }, () => open(of)));
      expect(await code(open(of))).toBe("rate_limited");
    }
    expect(await code(open(artifacts[4] ?? ""))).toBe("rate_limited");
    expect(watching.openStreams()).toBe(1024);
    watching.close();
  });

  test("a person's many keys share the person's bounds", async () => {
    const { watching, open } = bounded({
      address: { ofArtifact: 0, ofCaller: 0 },
      person: { ofArtifact: 2, ofCaller: 2 },
      ofProcess: 10,
    });
    const by = async () => open(artifactId, { as: await setup.key(owner.userId) });
    await by();
    await by();
    expect(await code(by())).toBe("rate_limited");
    watching.close();
  });

  test("many who watch one artifact alike are asked about once", async () => {
    const streams = await Promise.all(Array.from({ length: 30 }, () => watch(setup, artifactId)));
    await until(async () => {
      const before = setup.db.statements.total;
      await Bun.sleep(20);
      return before === setup.db.statements.total;
    });
    const before = setup.db.statements.total;
    await publish();
    await until(() => streams.every(({ received }) => received.length === 1));
    // Two for the version; who may, what is new and who may then; a sweep may fall in between.
    expect(setup.db.statements.total - before).toBeLessThanOrEqual(2 + 3 + 3);
    for (const { attachment } of streams) attachment.detach();
  });
});
