// `bun run --cwd db generate --name what_it_adds`: writes the next migration. drizzle-kit compares the schema with the
// newest snapshot alone; the older ones are five thousand lines each, and git has them.
import { $ } from "bun";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const meta = join(import.meta.dir, "migrations/meta");
await $`${process.execPath} x drizzle-kit generate ${process.argv.slice(2)}`.cwd(import.meta.dir);
const snapshots = (await readdir(meta)).filter((file) => file.endsWith("_snapshot.json")).sort();
for (const older of snapshots.slice(0, -1)) await rm(join(meta, older));
