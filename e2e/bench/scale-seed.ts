// Copies rows into the tables of an instance while the indexes are dropped, because building an index is faster than
// growing it. It does not know what the rows contain.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";

import { rowsOf, type Rows, type ScaleOwner, type ScaleSize } from "./scale-rows.ts";

/** Server settings for seeding: whole tables are written without WAL. */
export const whileSeeding = {
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "8GB",
  autovacuum: "off",
} as const;

/** Characters per write. */
const chunk = 256 * 1024;

/**
 * Expects the tables of an instance in which only the owner was created; audit rows of that are deleted. Uses two
 * connections.
 */
export async function seedScale(url: string, size: ScaleSize, owner: ScaleOwner): Promise<void> {
  const clients = [new Client({ connectionString: url }), new Client({ connectionString: url })] as const;
  for (const client of clients) {
    await client.connect();
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'");
  }
  const [first] = clients;
  try {
    const tables = rowsOf(size, owner);
    const indexes = await takeIndexes(
      first,
      tables.map(({ table }) => table),
    );
    const left = tables.toReversed();
    await inTurn(clients, left, copyInto);
    await inTurn(clients, indexes.definitions, (client, definition) => client.query(definition));
    for (const definition of indexes.references) await first.query(definition);
    await first.query("VACUUM ANALYZE");
  } finally {
    for (const client of clients) await client.end();
  }
}

/** Each connection takes the next item when it has finished one. */
async function inTurn<Item>(
  clients: readonly Client[],
  items: Item[],
  take: (client: Client, item: Item) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    clients.map(async (client) => {
      for (let item = items.pop(); item !== undefined; item = items.pop()) await take(client, item);
    }),
  );
}

/** A table truncated in the same transaction needs neither WAL nor a VACUUM. */
async function copyInto(client: Client, { table, columns, isWhole, rows }: Rows): Promise<void> {
  await client.query("BEGIN");
  if (isWhole) await client.query(`TRUNCATE "${table}"`);
  const into = `COPY "${table}" (${columns.join(", ")}) FROM STDIN${isWhole ? " (FREEZE)" : ""}`;
  await pipeline(Readable.from(inChunks(rows())), client.query(copyFrom(into)));
  await client.query("COMMIT");
}

function* inChunks(rows: Iterable<string>): Generator<Buffer> {
  let text = "";
  for (const row of rows) {
    text += `${row}\n`;
    if (text.length < chunk) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

/** Drops indexes and foreign keys, and returns the statements that create them again, references last. */
async function takeIndexes(
  client: Client,
  tables: readonly string[],
): Promise<{ definitions: string[]; references: string[] }> {
  const named = tables.map((table) => `'public."${table}"'::regclass`).join(", ");
  const foreign = await client.query<{ on_table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS on_table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND (conrelid IN (${named}) OR confrelid IN (${named}))`,
  );
  const indexes = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid IN (${named}) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
  );
  for (const { on_table, name } of foreign.rows) await client.query(`ALTER TABLE ${on_table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
  return {
    definitions: indexes.rows.map(({ definition }) => definition),
    // Existing rows are valid, so they are not checked again.
    references: foreign.rows.map(
      ({ on_table, name, definition }) => `ALTER TABLE ${on_table} ADD CONSTRAINT ${name} ${definition} NOT VALID`,
    ),
  };
}
