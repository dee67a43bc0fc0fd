// Reads a request for a checkout session.
import { invalid } from "./failure.ts";
import type { Parameters } from "./parameters.ts";

/** What Stripe takes as a quantity, and as the most of one where none is said. */
const quantities = { least: 1, most: 999_999, usualMost: 99 };

/** @throws StripeFailure */
export function readNewSession(parameters: Parameters) {
  const mode = parameters.required("mode");
  if (mode !== "subscription") throw invalid("This double sells subscriptions alone", "mode");
  const items = parameters.list("line_items", readItem) ?? [];
  const [item] = items;
  if (item === undefined) throw invalid("Missing required param: line_items.", "line_items", "parameter_missing");
  if (items.length > 1) throw invalid("This double sells one price at a time", "line_items");
  const success = parameters.address("success_url");
  if (success === undefined) throw invalid("Missing required param: success_url.", "success_url", "parameter_missing");
  return {
    item,
    success,
    customer: parameters.required("customer"),
    cancel: parameters.address("cancel_url") ?? null,
    reference: parameters.text("client_reference_id", 200) ?? null,
    takesCodes: parameters.truth("allow_promotion_codes") ?? null,
    expiresAt: parameters.whole("expires_at", { least: 0, most: Number.MAX_SAFE_INTEGER }),
    metadata: parameters.metadata(),
    subscriptionMetadata: parameters.nested("subscription_data", (inner) => inner.metadata()) ?? {},
  };
}

function readItem(parameters: Parameters, index: string) {
  const read = parameters.nested(index, (inner) => ({
    price: inner.required("price"),
    quantity: inner.whole("quantity", { least: quantities.least, most: quantities.most }),
    adjustable: inner.nested("adjustable_quantity", (bounds) => ({
      enabled: bounds.truth("enabled") ?? false,
      minimum: bounds.whole("minimum", { least: 0, most: quantities.most }) ?? 0,
      maximum: bounds.whole("maximum", { least: 1, most: quantities.most }) ?? quantities.usualMost,
    })),
  }));
  if (read === undefined) throw invalid("Invalid object", parameters.nameOf(index));
  const { price, quantity, adjustable } = read;
  const name = parameters.nameOf(index);
  if (quantity === undefined)
    throw invalid("Quantity is required. Add `quantity` to `line_items[0]`", `${name}[quantity]`, "parameter_missing");
  const isApart = adjustable?.enabled === true && (quantity < adjustable.minimum || quantity > adjustable.maximum);
  if (isApart)
    throw invalid(
      `The quantity must be between ${adjustable.minimum} and ${adjustable.maximum}, as adjustable_quantity says`,
      `${name}[quantity]`,
    );
  const between = adjustable?.enabled === true ? { minimum: adjustable.minimum, maximum: adjustable.maximum } : null;
  return { price, quantity, adjustable: between };
}

export type WantedSession = ReturnType<typeof readNewSession>;
