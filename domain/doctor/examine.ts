// Examines a database: every invariant, the hashes of all contents, the migrations. Changes nothing.
import type { Database } from "@plinth/db/connection";
import { migrationState } from "@plinth/db/migrate";

import { brokenContents, brokenObjects, brokenObjectsIn } from "./contents.ts";
import { invariants } from "./invariants.ts";

export interface Finding {
  readonly name: string;
  readonly problems: number;
  /** Some of what breaks it. */
  readonly examples: readonly string[];
}

const examplesAtMost = 5;
/** Objects that are looked at unless all are. */
const sampledObjects = 1000;

interface Examination {
  /** Whether every object of object storage is read, or a sample of 1,000. */
  readonly allObjects?: boolean;
}

/** One finding for each thing that must hold; `problems` is 0 where it does. */
export async function examine(db: Database, { allObjects = false }: Examination = {}): Promise<Finding[]> {
  const findings: Finding[] = [await migrations(db)];
  // Sequential, because an instance that serves requests needs its connections.
  for (const [name, statement] of Object.entries(invariants)) {
    const rows = await db.run<{ broken: string }>(statement);
    findings.push(
      finding(
        name,
        rows.length,
        rows.map((row) => row.broken),
      ),
    );
  }
  return [
    ...findings,
    await counted("every content matches its hash", brokenContents(db)),
    await counted(
      "every content in object storage is there and matches its hash",
      allObjects ? brokenObjects(db) : brokenObjectsIn(db, sampledObjects),
    ),
  ];
}

async function migrations(db: Database): Promise<Finding> {
  const { known, applied } = await migrationState(db);
  const examples = known === applied ? [] : [`${applied} of ${known} are applied`];
  return finding("the migrations are those of this program", examples.length, examples);
}

async function counted(name: string, broken: AsyncIterable<string>): Promise<Finding> {
  const examples: string[] = [];
  let problems = 0;
  for await (const one of broken) {
    problems++;
    if (examples.length < examplesAtMost) examples.push(one);
  }
  return finding(name, problems, examples);
}

const finding = (name: string, problems: number, examples: string[]): Finding => ({
  name,
  problems,
  examples: examples.slice(0, examplesAtMost),
});
