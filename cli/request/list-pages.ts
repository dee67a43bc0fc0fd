// Walking through the pages of a list.
import type { Client } from "@plinth/contract/client";
import { pageLimit } from "@plinth/contract/limits";
import type { Operation } from "@plinth/contract/operation";
import type { Input, OperationName } from "@plinth/contract/registry";

/** The member a list's items stand under; null where the answer is no list. */
export function collectionOf(op: Operation): string | null {
  const properties = (op.output as { properties?: Record<string, unknown> }).properties ?? {};
  if (!("nextCursor" in properties)) return null;
  return Object.keys(properties).find((name) => name !== "nextCursor") ?? null;
}

export type Page = Readonly<Record<string, unknown>> & { readonly nextCursor: string | null };

/** The items one by one over all pages, up to `limit` where one is given; `onMore` is told where more would begin. */
export async function* eachItem(
  client: Client,
  name: OperationName,
  fields: Record<string, unknown>,
  collection: string,
  onMore: (cursor: string) => void,
) {
  let left = typeof fields["limit"] === "number" ? fields["limit"] : Infinity;
  let cursor = fields["cursor"];
  while (left > 0) {
    const input = { ...fields, cursor, limit: Math.min(left, pageLimit.max) } as Input<typeof name>;
    const page = (await client.call(name, input)) as unknown as Page;
    const items = page[collection] as readonly unknown[];
    yield* items;
    left -= items.length;
    const next = page.nextCursor ?? null;
    // A page can be empty before the last one.
    if (next === null || next === cursor) return;
    cursor = next;
  }
  if (typeof cursor === "string") onMore(cursor);
}
