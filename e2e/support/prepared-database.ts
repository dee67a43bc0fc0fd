// The database that a test run has prepared: a data directory in which it is made and migrated (scripts/prepare-database.ts).
// What starts a database for tests starts it on a copy, with nothing left to do.
import { join } from "node:path";

const parts = ["postgres", "postgres-password"];

/** Copies the prepared database into an empty data directory; does nothing where none is prepared. */
export async function copyPreparedDatabase(dataDir: string): Promise<void> {
  const prepared = process.env["PLINTH_PREPARED_DATABASE"];
  if (prepared !== undefined) await copyDatabase(prepared, dataDir);
}

/** Not fs.cp, which does not keep the owner: as root, PostgreSQL runs under a separate account. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const copying = Bun.spawn(["cp", "-a", ...parts.map((part) => join(from, part)), to], { stderr: "pipe" });
  if ((await copying.exited) !== 0) throw new Error(await new Response(copying.stderr).text());
}
