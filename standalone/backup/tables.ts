// Which tables a database of ours has, in an order in which rows can be put back. The queue's own tables are in a schema
// of their own and are no part of a backup: what they hold is asked for anew (restore.ts).
import type { Client } from "pg";

import type { Header, TableHeader } from "./format.ts";

/** Which processes live, and when one last wrote: nothing to keep. */
const passing = ["worker_process", "health_check"];

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

/** Every table that is kept, each after those it refers to. @throws Error where two refer to each other */
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

/** The tables that have rows that are kept, or of a process that lives. */
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

/** A name as a statement takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** COPY's statement, but for its direction. */
export const columnsOf = ({ name, columns }: TableHeader): string =>
  `${quoted(name)} (${columns.map(quoted).join(", ")})`;
