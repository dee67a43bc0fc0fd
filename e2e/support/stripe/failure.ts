// Error answers of Stripe.
import type Stripe from "stripe";

type Kind = Stripe.RawErrorType;

/** An answer of Stripe's that is an error, in its own words. */
export class StripeFailure extends Error {
  constructor(
    readonly status: number,
    readonly type: Kind,
    message: string,
    readonly extra: { readonly code?: string; readonly param?: string; readonly decline_code?: string } = {},
  ) {
    super(message);
  }

  body() {
    return { error: { type: this.type, message: this.message, ...this.extra } };
  }
}

export const invalid = (message: string, param: string, code?: string): StripeFailure =>
  new StripeFailure(400, "invalid_request_error", message, { param, ...(code !== undefined && { code }) });

/** Something that is not there: 404 where the path names it, 400 where a parameter does. */
export const missing = (noun: string, id: string, param = "id"): StripeFailure =>
  new StripeFailure(param === "id" ? 404 : 400, "invalid_request_error", `No such ${noun}: '${id}'`, {
    code: "resource_missing",
    param,
  });

export const declined = (): StripeFailure =>
  new StripeFailure(402, "card_error", "Your card was declined.", {
    code: "card_declined",
    decline_code: "generic_decline",
  });
