// Signs bytes with the instance's secret, as text: a holder cannot change them, and they need not be stored. Each
// purpose has its own key.
import { createHmac, timingSafeEqual } from "node:crypto";

const macBytes = 16;

/** The body and a MAC of 128 bits, in base64url. */
export const seal = (secret: string, purpose: string, body: Uint8Array): string =>
  Buffer.concat([body, mac(secret, purpose, body)]).toString("base64url");

/** The body of so many bytes; null where the text was not sealed here for this purpose. */
export function unseal(secret: string, purpose: string, bodyBytes: number, text: string): Buffer | null {
  const sealed = Buffer.from(text, "base64url");
  if (sealed.length !== bodyBytes + macBytes || sealed.toString("base64url") !== text) return null;
  const body = sealed.subarray(0, bodyBytes);
  return timingSafeEqual(mac(secret, purpose, body), sealed.subarray(bodyBytes)) ? body : null;
}

const mac = (secret: string, purpose: string, body: Uint8Array): Buffer =>
  createHmac("sha256", secret).update(`${purpose}\0`).update(body).digest().subarray(0, macBytes);
