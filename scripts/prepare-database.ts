// Owns when the database that tests start from is prepared; how is standalone/prepared-database.ts.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensure, root } from "./step.ts";

const directory = "node_modules/.plinth/database";

/** Prepares it unless it is up to date, and says where it is to this process and those it starts. */
export function prepareDatabase(): void {
  ensure({
    name: "preparing a database",
    source: "standalone/prepared-database.ts",
    inputs: ["db", "standalone", "bun.lock"],
    output: directory,
    arguments: ["standalone/prepared-database.ts", directory],
    before() {
      rmSync(join(root, directory), { recursive: true, force: true });
      mkdirSync(join(root, directory), { recursive: true });
    },
  });
  process.env["PLINTH_PREPARED_DATABASE"] = join(root, directory);
}
