// Examines a database: every invariant, the hashes of all contents, the migrations. Changes nothing.
import type { Database } from "@plinth/db/connection";
import { migrationState } from "@plinth/db/migrate";

import { brokenContents } from "./contents.ts";
import { invariants } from "./invariants.ts";

export interface Finding {
  readonly name: string;
  readonly problems: number;
  /** Some of what breaks it. */
  readonly examples: readonly string[];
}

const examplesAtMost = 5;

/** One finding for each thing that must hold; `problems` is 0 where it does. */
export async function examine(db: Database): Promise<Finding[]> {
  const findings: Finding[] = [await migrations(db)];
  // Sequential, because an instance that serves requests needs its connections.
  for (const { name, statement } of invariants) {
    const rows = await db.run<{ broken: string }>(statement);
    findings.push(
      finding(
        name,
        rows.length,
        rows.map((row) => row.broken),
      ),
    );
  }
  return [...findings, await contents(db)];
}

async function migrations(db: Database): Promise<Finding> {
  const { known, applied } = await migrationState(db);
  const examples = known === applied ? [] : [`${applied} of ${known} are applied`];
  return finding("the migrations are those of this program", examples.length, examples);
}

async function contents(db: Database): Promise<Finding> {
  const broken: string[] = [];
  let problems = 0;
  for await (const sha256 of brokenContents(db)) {
    problems++;
    if (broken.length < examplesAtMost) broken.push(sha256);
  }
  return finding("every content matches its hash", problems, broken);
}

const finding = (name: string, problems: number, examples: string[]): Finding => ({
  name,
  problems,
  examples: examples.slice(0, examplesAtMost),
});
