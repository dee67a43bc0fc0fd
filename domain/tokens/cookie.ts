// A cookie of ours as it stands in headers. It must not know what a value means.
import type { Config } from "../config.ts";

/** The value of a `cookie` header; null where it does not have the cookie. */
export function cookieValue(header: string, name: string): string | null {
  const pair = header
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}

/** A `set-cookie` field that no script reads, for every path of the instance. */
export const setCookie = (
  { publicUrl }: Pick<Config, "publicUrl">,
  name: string,
  value: string,
  maxAgeSeconds: number,
): string =>
  [
    `${name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(publicUrl.startsWith("https:") ? ["Secure"] : []),
  ].join("; ");
