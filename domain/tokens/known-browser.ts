// The cookie of a browser in which a person has signed in: for each email address a random number, sealed together with the
// address. It names no address and is no credential; it only gives the browser its own rate of sign-in links.
import { randomBytes } from "node:crypto";

import type { Config } from "../config.ts";
import { cookieValue, setCookie } from "./cookie.ts";
import { seal, unseal } from "./seal.ts";

type Signed = Pick<Config, "publicUrl" | "secret">;

const numberBytes = 16;
/** Addresses in one cookie; the one that signed in longest ago makes way. */
const most = 5;
const lifeSeconds = 400 * 86_400;

const nameOf = (publicUrl: string): string => (publicUrl.startsWith("https:") ? "__Host-plinth-known" : "plinth-known");

/** A key for each address, so that a seal for one is none for another. */
const purposeOf = (email: string): string => `known-browser ${email}`;

const sealsOf = ({ publicUrl }: Signed, header: string | null): string[] =>
  (cookieValue(header ?? "", nameOf(publicUrl)) ?? "")
    .split(".")
    .filter((text) => /^[\w-]{43}$/.test(text))
    .slice(0, most);

const isFor = ({ secret }: Signed, email: string, text: string): boolean =>
  unseal(secret, purposeOf(email), numberBytes, text) !== null;

/** The browser's seal for the address, in canonical form; null where it has none of ours. */
export const knownBrowser = (config: Signed, cookies: string | null, email: string): string | null =>
  sealsOf(config, cookies).find((text) => isFor(config, email, text)) ?? null;

/** The `set-cookie` field after the address signed in. A seal that the browser has for it stays, with its rate. */
export function knownBrowserCookie(config: Signed, cookies: string | null, email: string): string {
  const kept = sealsOf(config, cookies);
  const own = kept.find((text) => isFor(config, email, text));
  const made = own ?? seal(config.secret, purposeOf(email), randomBytes(numberBytes));
  const seals = [made, ...kept.filter((text) => text !== made)].slice(0, most);
  return setCookie(config, nameOf(config.publicUrl), seals.join("."), lifeSeconds);
}
