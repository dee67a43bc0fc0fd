// The proxies whose `X-Forwarded-For` is trusted: single IP addresses, and ranges for the networks of containers.
import { BlockList, isIP } from "node:net";

import type { TrustedProxies } from "@plinth/api/request-meta";

/** The bits of an address in each family. */
const bits = { 4: 32, 6: 128 } as const;

/** @throws Error one line where an entry is neither an IP address nor a range, for example 10.0.0.0/8 */
export function trustedProxies(given: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const one of given) {
    const [address = "", prefix, ...more] = one.split("/");
    const kind = isIP(address);
    if ((kind !== 4 && kind !== 6) || address.includes("%") || more.length > 0) throw wrong();
    if (prefix === undefined) list.addAddress(address, familyOf(kind));
    else list.addSubnet(address, prefixOf(prefix, bits[kind]), familyOf(kind));
  }
  return {
    has(address) {
      const kind = isIP(address);
      return (kind === 4 || kind === 6) && list.check(address, familyOf(kind));
    },
  };
}

const familyOf = (kind: 4 | 6) => (kind === 4 ? "ipv4" : "ipv6");

/** Never zero bits: trusting every address means trusting any client's claim. */
function prefixOf(given: string, most: number): number {
  const prefix = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (prefix < 1 || prefix > most) throw wrong();
  return prefix;
}

const wrong = () => new Error("TRUSTED_PROXIES must be addresses or ranges of them, such as 10.0.0.0/8");
