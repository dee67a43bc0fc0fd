// `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this instance.
import type { Config } from "@plinth/domain/config";

/** The RFC advises less than a year; a reader asks again each time, so this is always ahead. */
const validDays = 90;

/** The file; null where the operator has named no contact. */
export function securityContact({ publicUrl, securityContact: contact }: Config, now = new Date()): Response | null {
  if (contact === null) return null;
  const expires = new Date(now.getTime() + validDays * 86_400_000);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${publicUrl}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}
