// Reads the `before` and `after` of an event. They have no schema, and an older or newer release may have written them,
// so any field may be missing or have another form.
import { isRecord } from "@plinth/platform/malformed";

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

/** Null where the value is not a text, or has no visible character. */
export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;

export const numberOf = (value: unknown): string | null => (typeof value === "number" ? String(value) : null);

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => textOf(item) !== null) : [];

/** The day of a time, without the hour. */
export const dayOf = (value: unknown): string | null => /^\d{4}-\d\d-\d\d/.exec(textOf(value) ?? "")?.[0] ?? null;
