// Lists as Stripe pages through them: what was made last comes first.
import type Stripe from "stripe";

import { missing } from "./failure.ts";
import type { Parameters } from "./parameters.ts";

const limits = { least: 1, most: 100 };
const usualLimit = 10;

/** Expects the records in the order they were made in. @throws StripeFailure for a cursor that is not among them */
export function listOf<Kind extends { readonly id: string }>(
  url: string,
  noun: string,
  made: readonly Kind[],
  from: Parameters,
): Stripe.ApiList<Kind> {
  const limit = from.whole("limit", limits) ?? usualLimit;
  const after = from.text("starting_after");
  from.end();
  const all = made.toReversed();
  const last = all.findIndex(({ id }) => id === after);
  if (after !== undefined && last === -1) throw missing(noun, after, "starting_after");
  const data = all.slice(last + 1, last + 1 + limit);
  return { object: "list", url, data, has_more: last + 1 + limit < all.length };
}
