// Rows of hand-written SQL by the columns of the schema: the list of a SELECT, and the function that reads a row. A module
// makes both once, when it loads, so a column of the schema is written down nowhere else.
import { getTableColumns, getTableName, is, SQL, type AnyColumn, type GetColumnData } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgTable } from "drizzle-orm/pg-core";

/** The columns that a row is made of, by its properties; they may be of several tables. */
export type Columns = Readonly<Record<string, AnyColumn>>;

/** What a row has in a column. */
type ValueOf<Column extends AnyColumn> = ReadonlyList<GetColumnData<Column>>;
type ReadonlyList<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

export type RowOf<Of extends Columns> = { readonly [Property in keyof Of]: ValueOf<Of[Property]> };

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/**
 * The same row as a statement returns it: the names of columns, and identifiers as bare UUIDs. A prefix keeps apart the columns
 * of two rows in one statement.
 */
export type RawRow<Of extends Columns, Prefix extends string = ""> = {
  readonly [Property in keyof Of & string as `${Prefix}${SnakeCase<Property>}`]: ValueOf<Of[Property]>;
};

type Named<Of extends Columns, Prefix extends string> = { readonly [Name in keyof RawRow<Of, Prefix>]: unknown };

/** All columns of a table but those that are named. */
export function columnsWithout<Table extends PgTable, Left extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...left: readonly Left[]
): Omit<Table["_"]["columns"], Left> {
  const columns: Record<string, AnyColumn> = { ...getTableColumns(table) };
  for (const property of left) delete columns[property];
  return columns as Omit<Table["_"]["columns"], Left>;
}

/** The named columns of a table. */
export function columnsNamed<Table extends PgTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: readonly Name[]
): Pick<Table["_"]["columns"], Name> {
  const columns = getTableColumns(table);
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<Table["_"]["columns"], Name>;
}

/** `a.title, a.created_at`: all columns of a subquery that has them by the names of the row's properties. */
export const listOf = (columns: Columns, alias: string, prefix = ""): string =>
  Object.keys(columns)
    .map((property) => `${alias}.${prefix}${toSnakeCase(property)}`)
    .join(", ");

/** `a.title, w.slug AS owner_username`: the columns from their tables, each by the alias that the statement gives it. */
export const selectOf = (columns: Columns, aliases: Readonly<Record<string, string>>, prefix = ""): string =>
  Object.entries(columns)
    .map(([property, { name, table }]) => {
      const alias = aliases[getTableName(table)];
      if (alias === undefined) throw new Error(`the statement has no alias for ${getTableName(table)}`);
      const [column, as] = [toSnakeCase(name), `${prefix}${toSnakeCase(property)}`];
      return `${alias}.${column}${column === as ? "" : ` AS ${as}`}`;
    })
    .join(", ");

/** Makes the function that reads these columns of a row. */
export function readerOf<Of extends Columns, Prefix extends string = "">(
  columns: Of,
  prefix?: Prefix,
): (row: Named<Of, Prefix>) => RowOf<Of> {
  const fields = Object.entries(columns).map(([property, column]) => ({
    property,
    name: `${prefix ?? ""}${toSnakeCase(property)}`,
    column,
  }));
  return (row) => {
    const raw: Readonly<Record<string, unknown>> = row;
    const read: Record<string, unknown> = {};
    for (const { property, name, column } of fields) {
      const value = raw[name];
      read[property] = value === null ? null : column.mapFromDriverValue(value);
    }
    return read as RowOf<Of>;
  };
}

/** A column of the parameters of a statement: its name, its type, and its value of a row as JSON has it. */
export interface Given<Row> {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly valueOf: (row: Row) => unknown;
}

/** The columns that an INSERT gets from its parameters. */
export const givenOf = <Of extends Columns>(columns: Of): Given<RowOf<Of>>[] =>
  Object.entries(columns).map(([property, column]) => ({
    name: toSnakeCase(property),
    type: column.getSQLType(),
    isNullable: !column.notNull,
    valueOf: (row) => {
      const value: unknown = row[property];
      // Drizzle writes a list as a text of PostgreSQL's.
      return value === null || column.dataType === "array" ? value : column.mapToDriverValue(value);
    },
  }));

/** The properties that an INSERT may leave out. */
type Unset<Of extends Columns> = {
  [Property in keyof Of]: Of[Property]["_"] extends { notNull: false } | { hasDefault: true } ? Property : never;
}[keyof Of];

/**
 * What the columns have that an INSERT leaves out: their default, or null.
 * @throws for a default that only the database knows, which the caller leaves out of `columns`
 */
export function unsetOf<Of extends Columns>(columns: Of): Pick<RowOf<Of>, Unset<Of>> {
  const unset = Object.entries(columns).flatMap(([property, column]) => {
    if (is(column.default, SQL)) throw new Error(`the database decides the default of ${property}`);
    if (column.notNull && column.default === undefined) return [];
    return [[property, column.default ?? null]];
  });
  return Object.fromEntries(unset) as Pick<RowOf<Of>, Unset<Of>>;
}
