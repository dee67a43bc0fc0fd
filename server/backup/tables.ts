// The tables of a Plinth database, in an order in which rows can be restored. The queue's tables are in another schema
// and not part of a backup: restore.ts enqueues their jobs again.
import type { Client } from "pg";

import type { Header, TableHeader } from "./format.ts";

/** The processes that run, the last write of one, and which objects are of this database: nothing to restore. */
const passing = ["worker_process", "health_check", "content_store", "lease_holder"];

interface Row {
  readonly name: string;
  readonly columns: string[];
  readonly refers_to: string[];
}

const statement = `
SELECT c.relname AS name,
  ARRAY(SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
  ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
        WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid <> c.oid) AS refers_to
FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
ORDER BY c.relname`;

/** Every table in a backup, each after those that it references. @throws Error where two tables reference each other */
export async function tablesOf(client: Client): Promise<TableHeader[]> {
  const { rows } = await client.query<Row>(statement);
  const waiting = rows.filter(({ name }) => !passing.includes(name));
  const placed: TableHeader[] = [];
  const isPlaced = (table: string) => placed.some(({ name }) => name === table);
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ refers_to: others }) => others.every(isPlaced));
    const [table] = waiting.splice(next, 1);
    if (next < 0 || table === undefined) throw new Error("there are tables that refer to each other");
    placed.push({ name: table.name, columns: table.columns });
  }
  return placed;
}

/** The tables that have rows, including those of running processes. */
export async function filledTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<Row>(statement);
  const filled: string[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query(`SELECT FROM ${quoted(name)} LIMIT 1`);
    if (found.length > 0) filled.push(name);
  }
  return filled;
}

export async function migrationsOf(client: Client): Promise<Header["migrations"]> {
  const { rows } = await client.query<{ hash: string; created_at: string }>(
    "SELECT hash, created_at::text FROM drizzle.__drizzle_migrations ORDER BY created_at",
  );
  return rows.map(({ hash, created_at: createdAt }) => ({ hash, createdAt: Number(createdAt) }));
}

/** Quotes a name for a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The table and columns of a COPY statement, without its direction. */
export const columnsOf = ({ name, columns }: TableHeader): string =>
  `${quoted(name)} (${columns.map(quoted).join(", ")})`;
