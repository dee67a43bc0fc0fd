// The cookie of a browser session: its name, and the token in it where its signature is ours. better-auth writes it
// (`<token>.<HMAC-SHA256 in base64>`, percent-encoded); who the session is for is asked of the database (access/load.ts).
import { createHmac, timingSafeEqual } from "node:crypto";

import { sessionCookieName } from "@plinth/contract/session-cookie";
import { percentDecoded } from "@plinth/platform/malformed";

import { cookieValue } from "./cookie.ts";

/** Key of what better-auth signs, apart from the other uses of the instance's secret. */
export const signingKey = (secret: string): string => createHmac("sha256", secret).update("better-auth").digest("hex");

interface Signed {
  readonly publicUrl: string;
  /** The instance's secret. */
  readonly secret: string;
}

/** The session token of a `cookie` header; null where there is none or its signature is not ours. */
export function readSessionCookie({ publicUrl, secret }: Signed, header: string): string | null {
  const written = cookieValue(header, sessionCookieName(publicUrl));
  const value = written === null ? null : percentDecoded(written);
  const dot = value?.lastIndexOf(".") ?? -1;
  if (value === null || dot < 1) return null;
  const token = value.slice(0, dot);
  // As text, since bytes can be written in more than one way.
  const given = Buffer.from(value.slice(dot + 1));
  const expected = Buffer.from(signature(secret, token).toString("base64"));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

/** The `cookie` header of a session, for asking better-auth on behalf of a person who is known already. */
export const sessionCookie = ({ publicUrl, secret }: Signed, token: string): string =>
  `${sessionCookieName(publicUrl)}=${encodeURIComponent(`${token}.${signature(secret, token).toString("base64")}`)}`;

const signature = (secret: string, token: string): Buffer =>
  createHmac("sha256", signingKey(secret)).update(token).digest();
