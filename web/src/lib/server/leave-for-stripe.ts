// Sends a person to a page at Stripe that the API has named: at once where the page's policy lets its forms lead,
// by a link where it does not, which is an operator's own domain at Stripe. Anywhere else it is not followed.
import { redirect, type RequestEvent } from "@sveltejs/kit";
import { platformOf } from "./platform.ts";

/**
 * Answers where a link is to lead, where a form may not.
 * @throws Redirect to the page; Error where the address is not safe to redirect to
 */
export function leaveForStripe(event: RequestEvent, address: string): { continueAt: string } {
  const { publicUrl, paymentOrigins } = platformOf(event);
  const led = [publicUrl, ...paymentOrigins];
  const { origin, protocol } = new URL(address);
  if (led.includes(origin)) redirect(303, address, { external: led });
  if (protocol !== "https:") throw new Error(`Stripe named a page that is not to be opened: ${origin}`);
  return { continueAt: address };
}
