// Column types whose stock versions fail with this driver: prefixed identifiers, bytes, JSON, times.
import { decodeId, encodeId, type IdPrefix } from "@plinth/contract/ids";
import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";

/**
 * A UUID column that reads and writes identifiers (`art_…`), so no code sees the bare UUID. The column has the
 * property's name unless one is given.
 */
export const id = <Prefix extends IdPrefix>(prefix: Prefix, name = "") =>
  customType<{ data: string; driverData: string }>({
    dataType: () => "uuid",
    fromDriver: (uuid) => encodeId(prefix, uuid),
    toDriver: (text) => uuidOf(prefix, text),
  })(name);

export const requiredId = <Prefix extends IdPrefix>(prefix: Prefix, name = "") => id(prefix, name).notNull();

/** The UUID of an identifier. A malformed identifier gives the nil UUID, which no row has, so that it is not found. */
export const uuidOf = (prefix: IdPrefix, text: string): string => decodeId(prefix, text) ?? nilUuid;

export const nilUuid = "00000000-0000-0000-0000-000000000000";

/** A new identifier: a UUIDv7, so that a newer one is greater. */
export const newId = (prefix: IdPrefix): string => encodeId(prefix, Bun.randomUUIDv7());

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** A SHA-256 that code reads and writes in hex. */
export const sha256 = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => "bytea",
  fromDriver: (hash) => Buffer.from(hash).toString("hex"),
  toDriver: (hex) => Buffer.from(hex, "hex"),
});

/** A JSON column; the stock `jsonb()` stores text inside JSON with this driver. */
export const json = <Value>() =>
  customType<{ data: Value; driverData: Value }>({ dataType: () => "jsonb", toDriver: (value) => value })();

export const time = customType<{ data: Date; driverData: Date }>({ dataType: () => "timestamptz" });

/** The time of the transaction that inserts the row, unless one is given. */
export const currentTime = () =>
  time()
    .notNull()
    .default(sql`now()`);

/** The words of a text, in the form of full-text search. */
export const lexemes = customType<{ data: string; driverData: string }>({ dataType: () => "tsvector" });

/** Text that is compared byte by byte, independently of the database's locale and the machine's libraries. */
export const sortKey = customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' });
