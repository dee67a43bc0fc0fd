// Signs what is sent, as Stripe does.
import Stripe from "stripe";

export interface SignOptions {
  readonly secret: string;
  /** Seconds; by default the current time by the receiver's clock rather than the fake's. */
  readonly at?: number;
  readonly scheme?: string;
}

export interface Signed {
  readonly body: string;
  /** The header `stripe-signature`. */
  readonly signature: string;
}

export async function sign(event: Stripe.Event, { secret, at, scheme }: SignOptions): Promise<Signed> {
  const body = JSON.stringify(event, null, 2);
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret,
    timestamp: at ?? Math.floor(Date.now() / 1000),
    ...(scheme !== undefined && { scheme }),
  });
  return { body, signature };
}
