// Old artifacts for tests, and what is left of them.
import { uuidOf } from "@plinth/db/columns";

import { examine } from "../../doctor/examine.ts";
import type { TestPerson, Setup } from "../../test/context.ts";

export const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

/** Publishes a version for each of the ages (days, the oldest first), and has them be so old. */
export async function publishOld(
  setup: Setup,
  owner: TestPerson,
  projectSlug: string,
  ages: readonly number[],
  textOf: (n: number) => string = (n) => `# ${setup.name("text")} of version ${n}`,
): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, projectSlug, { content: textOf(1) });
  for (let n = 2; n <= ages.length; n++)
    await setup.call("version.create", { artifactId, content: textOf(n) }, { as: owner.token });
  await age(setup, artifactId, ages);
  return artifactId;
}

async function age({ db }: Setup, artifactId: string, ages: readonly number[]): Promise<void> {
  const times = JSON.stringify(ages.map((days, index) => ({ number: index + 1, at: daysAgo(days) })));
  await db.run(
    `UPDATE version v SET created_at = t.at FROM json_to_recordset($2::text::json) AS t(number int, at timestamptz)
     WHERE v.artifact_id = $1 AND v.version_number = t.number`,
    [uuidOf("art", artifactId), times],
  );
  await db.run(
    `UPDATE artifact a SET created_at = (SELECT created_at FROM version WHERE artifact_id = $1 AND version_number = 1),
       oldest_superseded_at = (SELECT created_at FROM version WHERE artifact_id = $1 AND version_number = 2)
     WHERE artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
}

/** The numbers of the versions whose content is gone. */
export async function prunedOf({ db }: Setup, artifactId: string): Promise<number[]> {
  const rows = await db.run<{ n: number }>(
    "SELECT version_number AS n FROM version WHERE artifact_id = $1 AND pruned_at IS NOT NULL ORDER BY 1",
    [uuidOf("art", artifactId)],
  );
  return rows.map(({ n }) => n);
}

export const isStored = async ({ db }: Setup, content: string): Promise<boolean> => {
  const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return (await db.run("SELECT 1 FROM content WHERE sha256 = decode($1, 'hex')", [sha256])).length === 1;
};

/** What the doctor finds. */
export const violations = async ({ db }: Setup): Promise<string[]> =>
  (await examine(db)).filter(({ problems }) => problems > 0).map(({ name, examples }) => `${name}: ${examples[0]}`);

/** Until the work is done, or waits for a lock that another transaction has. */
export async function waitsOr({ db }: Setup, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void Promise.allSettled([work]).then(() => {
    isDone = true;
  });
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while (!isDone && (await db.run(waiting)).length === 0) await Bun.sleep(5);
}
