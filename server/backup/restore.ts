// Restores a backup into an empty database, in one transaction. The jobs that the queue held at the time of the backup
// are enqueued again. It knows no other files than the backup.
import { once } from "node:events";

import { encodeId } from "@plinth/contract/ids";
import type { Connection } from "@plinth/db/connection";
import { knownMigrations, migrate, migrateUpTo, type Migration } from "@plinth/db/migrate";
import { Client } from "pg";
import { from as copyFrom, type CopyStreamQuery } from "pg-copy-streams";

import { BrokenBackup, type Header, type TableHeader } from "./format.ts";
import { readBackup, type BackupContents, type Into } from "./read.ts";
import { columnsOf, filledTables, quoted, tablesOf } from "./tables.ts";

/** The migration of the backup's database. @throws BrokenBackup of a program that this one does not understand */
export function migrationOf({ migrations, program }: Header): Migration {
  const known = knownMigrations();
  const newest = migrations.at(-1);
  if (newest === undefined) throw new BrokenBackup("it names no migration");
  if (newest.createdAt > (known.at(-1)?.createdAt ?? 0))
    throw new BrokenBackup(`a newer version of Plinth (${program}) made it. Restore it with that version`);
  const isOurs = migrations.every(({ hash, createdAt }, place) => {
    const ours = known[place];
    return ours?.hash === hash && ours.createdAt === createdAt;
  });
  if (!isOurs) throw new BrokenBackup(`its database had other tables than this program's (it was made by ${program})`);
  return newest;
}

/** @throws Error where the database already has rows */
export async function restoreInto(
  url: string,
  connection: Connection,
  path: string,
  head: Header,
): Promise<BackupContents> {
  await requireEmpty(url);
  await migrateUpTo(connection, migrationOf(head));
  const client = new Client({ connectionString: url, application_name: "plinth-restore" });
  await client.connect();
  let contents: BackupContents;
  try {
    await client.query("BEGIN");
    contents = await readBackup(path, intoDatabase(client, head));
    // The waiting time of a restored job is unknown, so it starts at the restore.
    await client.query("UPDATE outbox SET created_at = now()");
    await askAnew(client);
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
  await migrate(connection);
  await connection.run("ANALYZE");
  return contents;
}

async function requireEmpty(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "plinth-restore" });
  await client.connect();
  const filled = await filledTables(client).finally(() => client.end());
  if (filled.length > 0)
    throw new Error(`The database has rows already (in ${filled.slice(0, 3).join(", ")}). Restore into an empty one.`);
}

function intoDatabase(client: Client, head: Header): Into {
  let copy: { readonly table: TableHeader; readonly stream: CopyStreamQuery; readonly ended: Promise<unknown> } | null =
    null;
  function open(table: TableHeader) {
    const stream = client.query(copyFrom(`COPY ${columnsOf(table)} FROM STDIN (FORMAT binary)`));
    const ended = once(stream, "finish");
    // The error is handled where `ended` is awaited, which may be later than the rejection.
    ended.catch(() => undefined);
    return { table, stream, ended };
  }
  return {
    async begin(header) {
      if (JSON.stringify(header) !== JSON.stringify(head)) throw new BrokenBackup("it changed while it was read");
      const ours = await tablesOf(client);
      const shape = (tables: readonly TableHeader[]) =>
        tables
          .map(({ name, columns }) => [name, ...columns.toSorted()].join(" "))
          .toSorted()
          .join("\n");
      if (shape(ours) !== shape(header.tables)) throw new BrokenBackup("it has other tables than its migrations make");
      // The lock keeps every other process from writing during the restore.
      await client.query(`LOCK TABLE ${ours.map(({ name }) => quoted(name)).join(", ")} IN ACCESS EXCLUSIVE MODE`);
      const filled = await filledTables(client);
      if (filled.length > 0) throw new Error("The database was used while the backup was being restored.");
    },
    async take(table, piece) {
      copy ??= open(table);
      if (!copy.stream.write(piece)) await Promise.race([once(copy.stream, "drain"), copy.ended]);
    },
    async end(table) {
      const { stream, ended } = copy ?? open(table);
      copy = null;
      stream.end();
      await ended;
      return stream.rowCount;
    },
  };
}

/** The artifacts of one job, which writes their search documents a few at a time. */
const artifactsOfJob = 100;

/** Enqueues jobs that were in the queue and are not in the backup. Their results can be created again. */
async function askAnew(client: Client): Promise<void> {
  const ask = (kind: string, payload: object) =>
    client.query("INSERT INTO outbox (job_id, kind, payload) VALUES ($1, $2, $3)", [
      Bun.randomUUIDv7(),
      kind,
      JSON.stringify(payload),
    ]);
  for (let last = "00000000-0000-0000-0000-000000000000"; ;) {
    const { rows } = await client.query<{ id: string }>(
      `SELECT artifact_id AS id FROM artifact WHERE artifact_id > $1 AND deleted_at IS NULL
       ORDER BY artifact_id LIMIT ${artifactsOfJob}`,
      [last],
    );
    const newest = rows.at(-1);
    if (newest === undefined) break;
    await ask("head", { artifactIds: rows.map(({ id }) => encodeId("art", id)) });
    last = newest.id;
  }
  await ask("thumbnails", {});
}
