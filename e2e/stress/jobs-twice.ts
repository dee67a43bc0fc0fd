// Delivers every job twice at once and again when all are done: the database has the same content as after one
// delivery, and no recipient gets a second mail. It duplicates outbox rows and does not know what the jobs do.
import { SQL } from "bun";
import { rm } from "node:fs/promises";

import { scaledOut } from "../harness/database.ts";
import { inviteStranger, openInbox } from "../harness/inbox.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject, fresh, operatorOf, type Person } from "../harness/people.ts";
import { forgetful, startPostgres } from "../harness/postgres.ts";
import { temporaryFolder, withoutScreenshots, withScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, inParallel, type StressTest } from "./stress-test.ts";
import { doctorIsContent } from "./doctor.ts";
import { jobsSettled } from "../harness/jobs-settled.ts";

/** Jobs that no request causes. */
const scheduled = ["purge", "renderings", "retention", "thumbnails"] as const;

/** Copies outbox rows and inserts them again later. */
const doubling = `
CREATE TABLE given (job_id uuid PRIMARY KEY, kind text NOT NULL, payload jsonb NOT NULL);
CREATE FUNCTION give_twice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() = 1 THEN
    INSERT INTO given VALUES (NEW.job_id, NEW.kind, NEW.payload);
    INSERT INTO outbox (job_id, kind, payload) VALUES (gen_random_uuid(), NEW.kind, NEW.payload);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER give_twice AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION give_twice()`;

/** Columns with the time of an action, not its result. */
const passing: Readonly<Record<string, readonly string[]>> = {
  credential: ["last_used_at"],
  session: ["updated_at"],
  worker_process: ["seen_at"],
  health_check: ["written_at"],
};

export const jobsTwice: StressTest = {
  claim: "every kind of job delivered twice at once and once more later has one effect, on the database and on mail",
  count: 200,
  shortCount: 6,

  async run({ count, seed, screenshots = false }) {
    const random = randomFrom(seed);
    const folder = await temporaryFolder("twice");
    const server = await startPostgres(folder, forgetful);
    const inbox = await openInbox();
    const instance = await startInstance({
      env: { ...scaledOut(server.url), ...inbox.env, ...(screenshots ? withScreenshots : withoutScreenshots) },
    });
    const database = new SQL(server.url, { max: 1 });
    try {
      for (const statement of doubling.split(/;\n(?=CREATE)/)) await database.unsafe(statement);
      const person = await createPerson(instance);
      const { slug } = await createProject(person);
      await inParallel(count, 4, (n) => live(person, slug, n === 0 || random() < 0.4));
      const invitations = Math.max(2, Math.floor(count / 20));
      for (let n = 0; n < invitations; n++) await inviteStranger(instance);
      await jobsSettled(instance);
      await database.unsafe("UPDATE artifact SET deleted_at = deleted_at - interval '40 days'");
      for (const kind of scheduled) await operatorOf(instance).call("operator.runJob", { kind });
      await untilDone(instance, database);
      const once = await dump(database);
      const purged = await eventsOf(database, "artifact.purged");
      assert(purged.events === purged.targets && purged.events > 0, () => `purged: ${JSON.stringify(purged)}`);

      await database.unsafe(
        "INSERT INTO outbox (job_id, kind, payload) SELECT gen_random_uuid(), kind, payload FROM (SELECT kind, payload FROM given ORDER BY job_id) AS again",
      );
      await untilDone(instance, database);
      const again = await dump(database);
      for (const [table, rows] of Object.entries(again))
        assert(rows === once[table], () => `${table} differs:\n${once[table]}\n${rows}`);
      const mails = new Set(inbox.deliveries.map(({ messageId }) => messageId)).size;
      assert(mails === invitations, () => `${mails} mails for ${invitations} invitations`);
      assert(inbox.deliveries.length === mails, () => `${inbox.deliveries.length} deliveries of ${mails} mails`);
      await doctorIsContent({ DATABASE_URL: server.url });
      const kinds: { kind: string; jobs: number }[] = await database.unsafe(
        "SELECT kind, count(*)::int AS jobs FROM given GROUP BY kind ORDER BY kind",
      );
      return { delivered: Object.fromEntries(kinds.map(({ kind, jobs }) => [kind, jobs])), mails, ...purged };
    } finally {
      await database.close();
      await instance.stop();
      await inbox.close();
      await server.end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** An artifact's life: created, changed, and possibly deleted. */
async function live(person: Person, projectSlug: string, isDeleted: boolean): Promise<void> {
  const { artifactId } = await createArtifact(person, projectSlug, { content: `# ${fresh("life")}\n` });
  for (let n = 0; n < 3; n++)
    await person.client.call("version.create", { artifactId, content: `# ${fresh("life")}\n` });
  await person.client.call("artifact.patch", { artifactId, title: fresh("title") });
  if (isDeleted) await person.client.call("artifact.delete", { artifactId });
}

/** Waits until the outbox is empty and no job runs or is queued, scheduled kinds included. */
async function untilDone(instance: Instance, database: SQL): Promise<void> {
  await jobsSettled(instance);
  for (;;) {
    const [row] = (await database.unsafe(
      "SELECT count(*)::int AS jobs FROM bullmq.job WHERE state IN ('waiting', 'active') OR (state = 'delayed' AND scheduler_id IS NULL)",
    )) as { jobs: number }[];
    if (row?.jobs === 0) return;
    await Bun.sleep(100);
  }
}

/** Every row of every table, except those columns. */
async function dump(database: SQL): Promise<Record<string, string>> {
  const tables = (await database.unsafe(
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('outbox', 'given')",
  )) as { relname: string }[];
  const dumped: Record<string, string> = {};
  for (const { relname } of tables) {
    const without = (passing[relname] ?? []).map((column) => ` - '${column}'`).join("");
    const [row] = (await database.unsafe(
      `SELECT coalesce(string_agg(r, E'\\n' ORDER BY r), '') AS rows FROM (SELECT (to_jsonb(t)${without})::text AS r FROM "${relname}" t) AS each`,
    )) as { rows: string }[];
    dumped[relname] = row?.rows ?? "";
  }
  return dumped;
}

async function eventsOf(database: SQL, kind: string): Promise<{ events: number; targets: number }> {
  const [row] = (await database.unsafe(
    "SELECT count(*)::int AS events, count(DISTINCT target_id)::int AS targets FROM audit_event WHERE kind = $1",
    [kind],
  )) as { events: number; targets: number }[];
  return row ?? { events: 0, targets: 0 };
}
