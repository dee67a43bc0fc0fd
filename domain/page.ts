// Pages of lists, and their cursors: opaque to callers, and good only for the list that gave them.
import type { AppError } from "@plinth/contract/errors";
import { idPattern, type IdPrefix } from "@plinth/contract/ids";
import { pageLimit } from "@plinth/contract/limits";

import { invalid } from "./input.ts";

/** The cursor behind a last item. */
export const cursorOf = (list: string, position: string): string =>
  Buffer.from(`${list}:${position}`).toString("base64url");

/** The position in a cursor, which must have the form. @throws invalid_request */
export function readCursor(list: string, cursor: string, form: RegExp): string {
  const text = Buffer.from(cursor, "base64url").toString();
  const position = text.slice(list.length + 1);
  const isOurs = text.startsWith(`${list}:`) && form.test(position) && cursorOf(list, position) === cursor;
  if (!isOurs) throw wrongCursor();
  return position;
}

export const wrongCursor = (): AppError => invalid([{ path: "cursor", message: "is not a cursor of this list" }]);

/**
 * What a list by identifier is asked for: how many, and before which; undefined on the first page.
 * @throws invalid_request for a cursor of another list
 */
export function readPage(
  list: string,
  prefix: IdPrefix,
  { limit = pageLimit.default, cursor }: { readonly limit?: number; readonly cursor?: string },
): { readonly limit: number; readonly before: string | undefined } {
  const before = cursor === undefined ? undefined : readCursor(list, cursor, new RegExp(idPattern(prefix)));
  return { limit, before };
}

export interface Page<Row> {
  readonly shown: readonly Row[];
  readonly nextCursor: string | null;
}

/** The page of so many rows. Expects one row more to have been asked for, which tells whether another page follows. */
export function pageOf<Row>(
  list: string,
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => string,
): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { shown, nextCursor: isMore ? cursorOf(list, position(last)) : null };
}
