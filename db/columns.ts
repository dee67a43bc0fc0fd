// Column types that the stock ones get wrong on this driver: prefixed identifiers, bytes, JSON, times.
import { decodeId, encodeId, type IdPrefix } from "@plinth/contract/ids";
import { customType } from "drizzle-orm/pg-core";

/**
 * A UUID column that reads and writes identifiers (`art_…`), so no code ever sees the bare UUID. Its name is the
 * property's, unless given.
 */
export const id = <Prefix extends IdPrefix>(prefix: Prefix, name = "") =>
  customType<{ data: string; driverData: string }>({
    dataType: () => "uuid",
    fromDriver: (uuid) => encodeId(prefix, uuid),
    toDriver: (text) => uuidOf(prefix, text),
  })(name);

/** The UUID of an identifier; the nil UUID, which no row has, where it is malformed (so: not found). */
export const uuidOf = (prefix: IdPrefix, text: string): string => decodeId(prefix, text) ?? nilUuid;

export const nilUuid = "00000000-0000-0000-0000-000000000000";

/** A new identifier: a UUIDv7, so that newer is greater. */
export const newId = (prefix: IdPrefix): string => encodeId(prefix, Bun.randomUUIDv7());

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** JSON; the stock `jsonb()` stores text inside JSON on this driver. */
export const json = <Value>() =>
  customType<{ data: Value; driverData: Value }>({ dataType: () => "jsonb", toDriver: (value) => value })();

export const time = customType<{ data: Date; driverData: Date }>({ dataType: () => "timestamptz" });

/** The words of a text, as full-text search keeps them. */
export const lexemes = customType<{ data: string; driverData: string }>({ dataType: () => "tsvector" });

/** Text that is compared byte by byte, whatever the database's locale and the libraries of its machine say of order. */
export const sortKey = customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' });
