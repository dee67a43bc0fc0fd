// `bun run doctor [--json] [--all-objects]`: checks the invariants of DATABASE_URL, or of the embedded database in DATA_DIR. An
// instance may be serving the database. Exits 1 where there is a violation.
import { parseArgs } from "node:util";

import { connect } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";
import { examine, type Finding } from "@plinth/domain/doctor/examine";

import { objectStoreOfEnvironment } from "./object-store.ts";
import { findingText } from "./finding-text.ts";
import { databasePlace, reachDatabase } from "./reach-database.ts";

const { values } = parseArgs({ options: { json: { type: "boolean" }, "all-objects": { type: "boolean" } } });

try {
  const findings = await examined();
  process.stdout.write(values.json ? `${JSON.stringify({ findings })}\n` : findings.map(findingText).join(""));
  process.exit(findings.every(({ problems }) => problems === 0) ? 0 : 1);
} catch (error) {
  process.stderr.write(`doctor: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function examined(): Promise<Finding[]> {
  const database = await reachDatabase(databasePlace());
  try {
    const objects = objectStoreOfEnvironment();
    const connection = connect({ url: database.url, max: 2, name: "plinth-doctor", limits: limits.tools, objects });
    return await examine(connection, { allObjects: values["all-objects"] === true }).finally(() => connection.close());
  } finally {
    await database.close();
  }
}
