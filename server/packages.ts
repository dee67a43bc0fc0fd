// `bun run packages export FILE`, `import FILE`, `warm FILE…`: moves kept packages between the database of DATABASE_URL, or
// the embedded one in DATA_DIR, and a file; or keeps what html files load. An instance may be serving the database.
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";

import { connect, type Database } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";
import { exportPackages, importPackages, longestLine } from "@plinth/domain/packages/transfer";
import { closeThreads } from "@plinth/domain/threads/pool";

import { boundedLines } from "./bounded-lines.ts";
import { objectStoreOfEnvironment } from "./object-store.ts";
import { registryOf } from "./environment.ts";
import { databasePlace, reachDatabase } from "./reach-database.ts";
import { reasonOf } from "@plinth/domain/packages/reasons";
import { resolvePackages } from "@plinth/domain/packages/resolve";
import { bundleFor, referencesOf, relativePathsFor } from "@plinth/domain/threads/bounded-tasks";

// Keeps the packages that an html document loads, without a version that is locked to them: for an instance that will have
// no registry.

/** The operator's own work, in a process that does nothing else. */
const work = { owner: "operator", account: "operator", priority: "background" } as const;

interface Warmed {
  readonly kept: number;
  /** Why the others are missing. */
  readonly missing: readonly string[];
}

async function warmPackages(db: Database, registry: string, html: string): Promise<Warmed> {
  const { references } = await referencesOf(html, "html", work);
  const resolving = {
    db,
    registry: { url: registry },
    relativePathsOf: relativePathsFor(work),
    bundle: bundleFor(work),
    besideRuntime: false,
  };
  const { entries } = await resolvePackages(resolving, references);
  return {
    kept: entries.filter(({ missing }) => missing === null).length,
    missing: entries.flatMap((entry) => reasonOf(entry)?.reason ?? []),
  };
}

const [action = "", ...paths] = process.argv.slice(2);
const [path] = paths;
if (path === undefined || !["export", "import", "warm"].includes(action) || (action !== "warm" && paths.length > 1)) {
  process.stderr.write("bun run packages export FILE | import FILE | warm FILE…\n");
  process.exit(2);
}

try {
  const reached = await reachDatabase(databasePlace());
  try {
    const objects = objectStoreOfEnvironment();
    const db = connect({ url: reached.url, max: 2, name: "plinth-packages", limits: limits.tools, objects });
    await run(db, path).finally(() => db.close());
  } finally {
    await closeThreads();
    await reached.close();
  }
  process.exit(0);
} catch (error) {
  process.stderr.write(`packages: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function run(db: Database, file: string): Promise<void> {
  if (action === "export") return exportTo(db, file);
  if (action === "import") {
    const { packages, files } = await importPackages(db, boundedLines(createReadStream(file), longestLine));
    return say(`${file}: ${packages} packages with ${files} files are kept.`);
  }
  const registry = registryOf(process.env["PACKAGE_REGISTRY"] || null);
  if (registry === null) throw new Error("PACKAGE_REGISTRY is off: nothing can be fetched");
  for (const each of paths) {
    const { kept, missing } = await warmPackages(db, registry, await readFile(each, "utf8"));
    say(`${each}: ${kept} files are kept.${missing.map((why) => `\n  ${why}`).join("")}`);
  }
}

async function exportTo(db: Database, file: string): Promise<void> {
  // Nothing that is there is overwritten.
  const target = await open(file, "wx");
  let lines = 0;
  try {
    for await (const line of exportPackages(db)) {
      await target.appendFile(line);
      lines++;
    }
  } finally {
    await target.close();
  }
  say(`${file}: ${lines - 1} packages and files.`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
