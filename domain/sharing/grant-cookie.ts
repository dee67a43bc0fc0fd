// The grant cookie: the share links that a browser has opened, sealed with the instance's secret. It names links and
// holds no token; whether they are still good is asked of the database each time (docs/reference/security.md §3).
import { grantCookieName } from "@plinth/contract/grant-cookie";
import { decodeId, encodeId } from "@plinth/contract/ids";

import type { Config } from "../config.ts";
import { cookieValue, setCookie } from "../tokens/cookie.ts";
import { seal, unseal } from "../tokens/seal.ts";

const purpose = "grant-cookie";
/** Links in one cookie; the one opened longest ago makes way. */
const most = 16;
const idBytes = 16;
const macBytes = 16;

type Named = Pick<Config, "publicUrl" | "secret">;

/** The links of a `cookie` header, the latest first; none where there is no such cookie or its seal is not ours. */
export function readGrantCookie({ publicUrl, secret }: Named, header: string): string[] {
  const text = cookieValue(header, grantCookieName(publicUrl));
  if (text === null) return [];
  const bodyBytes = Buffer.from(text, "base64url").length - macBytes;
  if (bodyBytes <= 0 || bodyBytes % idBytes !== 0 || bodyBytes > most * idBytes) return [];
  const body = unseal(secret, purpose, bodyBytes, text);
  if (body === null) return [];
  return Array.from({ length: bodyBytes / idBytes }, (_, at) =>
    encodeId("shr", body.subarray(at * idBytes, (at + 1) * idBytes).toString("hex")),
  );
}

/** The cookie's value with a further link. */
export function sealGrants(
  { secret }: Pick<Config, "secret">,
  granted: readonly string[],
  shareLinkId: string,
): string {
  const links = [shareLinkId, ...granted.filter((known) => known !== shareLinkId)].slice(0, most);
  const bare = links.map((link) => Buffer.from((decodeId("shr", link) ?? "").replaceAll("-", ""), "hex"));
  return seal(secret, purpose, Buffer.concat(bare));
}

const longestSeconds = 30 * 86_400;

/**
 * The `set-cookie` field that adds a link to those a browser has opened. It ends with the link only where it holds no
 * other one; a link that has ended opens nothing in any case.
 */
export function grantSetCookie(
  config: Named,
  granted: readonly string[],
  { shareLinkId, secondsLeft }: { readonly shareLinkId: string; readonly secondsLeft: number | null },
): string {
  const isAlone = granted.every((known) => known === shareLinkId);
  const maxAge = isAlone && secondsLeft !== null ? Math.min(secondsLeft, longestSeconds) : longestSeconds;
  return setCookie(config, grantCookieName(config.publicUrl), sealGrants(config, granted, shareLinkId), maxAge);
}
