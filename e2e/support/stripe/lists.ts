// Lists as Stripe pages through them: what was made last comes first.
import type Stripe from "stripe";

import { missing } from "./failure.ts";
import type { Parameters } from "./parameters.ts";

export interface Page {
  readonly limit: number;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

const limits = { least: 1, most: 100, usual: 10 };

export function readPage(parameters: Parameters): Page {
  return {
    limit: parameters.whole("limit", limits) ?? limits.usual,
    after: parameters.text("starting_after"),
    before: parameters.text("ending_before"),
  };
}

/** Expects the records in the order they were made in. @throws StripeFailure for a cursor that is not among them */
export function listOf<Kind extends { readonly id: string }>(
  url: string,
  noun: string,
  made: readonly Kind[],
  { limit, after, before }: Page,
): Stripe.ApiList<Kind> {
  const all = made.toReversed();
  const place = (id: string, param: string) => {
    const at = all.findIndex((one) => one.id === id);
    if (at === -1) throw missing(noun, id, param);
    return at;
  };
  const end = before === undefined ? all.length : place(before, "ending_before");
  const first = after === undefined ? 0 : place(after, "starting_after") + 1;
  const start = before === undefined ? first : Math.max(first, end - limit);
  const data = all.slice(start, Math.min(end, start + limit));
  const has_more = before === undefined ? start + limit < end : start > first;
  return { object: "list", url, data, has_more };
}

/** A list that is part of a record, whole. */
export const wholeList = <Kind>(url: string, data: Kind[]): Stripe.ApiList<Kind> => ({
  object: "list",
  url,
  data,
  has_more: false,
});
