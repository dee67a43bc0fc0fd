// Decides when the database for tests is prepared; server/test/prepared-database.ts prepares it.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensure, root } from "./step.ts";

const directory = "node_modules/.plinth/database";

/** Prepares the database unless it is up to date, and passes its location to this process and its children. */
export function prepareDatabase(): void {
  ensure({
    name: "preparing a database",
    source: "server/test/prepared-database.ts",
    inputs: ["db", "server", "bun.lock"],
    output: directory,
    arguments: ["server/test/prepared-database.ts", directory],
    before() {
      rmSync(join(root, directory), { recursive: true, force: true });
      mkdirSync(join(root, directory), { recursive: true });
    },
  });
  process.env["PLINTH_PREPARED_DATABASE"] = join(root, directory);
}
