// `bun run content copy --to s3|database`: copies contents between the database of DATABASE_URL, or the embedded one in
// DATA_DIR, and the object storage of CONTENT_STORE. An instance may be serving both.
import { parseArgs } from "node:util";

import { connect, type Database } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";
import { copyContents, type ContentPlace, type CopyProgress } from "@plinth/domain/storage/copy-contents";
import { claimObjects } from "@plinth/domain/storage/object-owner";

import { objectStoreOfEnvironment } from "./object-store.ts";
import { databasePlace, reachDatabase } from "./reach-database.ts";

const usage = "bun run content copy --to s3|database\n";

const to = placeOf(process.argv.slice(2));
if (to === null) {
  process.stderr.write(usage);
  process.exit(2);
}

try {
  const reached = await reachDatabase(databasePlace());
  try {
    const objects = objectStoreOfEnvironment();
    const db = connect({ url: reached.url, max: 5, name: "plinth-content", limits: limits.tools, objects });
    process.exitCode = await copy(db, to).finally(() => db.close());
  } finally {
    await reached.close();
  }
} catch (error) {
  process.stderr.write(`content: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function placeOf(given: readonly string[]): ContentPlace | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      options: { to: { type: "string" } },
      allowPositionals: true,
    });
    const isCopy = positionals.length === 1 && positionals[0] === "copy";
    return isCopy && (values.to === "s3" || values.to === "database") ? values.to : null;
  } catch {
    return null;
  }
}

/** The exit status: 1 where a content could not be copied. */
async function copy(db: Database, place: ContentPlace): Promise<number> {
  const { objects } = db;
  if (objects === null) throw new Error("CONTENT_STORE must be set: it says which object storage is meant");
  if (place === "s3" && !objects.takesNew) throw new Error("CONTENT_STORE_READ_ONLY is on: nothing is put there");
  if (place === "database" && objects.takesNew)
    throw new Error(
      "Set CONTENT_STORE_READ_ONLY=on here and for every process first, or they copy contents to s3 again",
    );
  if (place === "s3") await claimObjects(db, objects);
  const { copied, bytes, broken } = await copyContents(db, objects, place, { onProgress: tell });
  process.stdout.write(
    `${said({ copied, bytes })} are in ${place === "s3" ? "object storage" : "the database"} now.\n`,
  );
  for (const sha256 of broken)
    process.stdout.write(`  ${sha256} stays where it is: its bytes are missing or broken.\n`);
  return broken.length === 0 ? 0 : 1;
}

function tell(progress: CopyProgress): void {
  if (process.stderr.isTTY) process.stderr.write(`${said(progress)} …\n`);
}

function said({ copied, bytes }: Pick<CopyProgress, "copied" | "bytes">): string {
  return `${copied.toLocaleString("en")} contents, ${(bytes / 1e6).toFixed(1)} MB,`;
}
