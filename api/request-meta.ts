// What is known of a request beside what is in it: its identifier, where it comes from, and what is learned on the way.
import type { Surface } from "@plinth/contract/audit-kinds";
import { unmatched } from "@plinth/contract/served-request";
import { isPerson, type Principal } from "@plinth/domain/access/principal";

export interface RequestMeta {
  readonly requestId: string;
  readonly address: string;
  /** As it was asked: the router takes HEAD for GET. */
  readonly method: string;
  /** What is learned of it on the way, for its line in the log. */
  readonly learned: Learned;
  /** Calls it once the request is answered, however that ends. */
  readonly atEnd: (end: () => void) => void;
}

export interface Learned {
  /** The pattern of the route. */
  route: string;
  surface: Surface;
  /** Who asks, by their identifier; null where nobody looked. */
  principal: string | null;
}

export const nothingLearned = (): Learned => ({ route: unmatched, surface: "api", principal: null });

/** What the log calls a principal by: never by a name or an address. */
export function shownPrincipal(principal: Principal): string {
  if (isPerson(principal)) return principal.type === "user" ? principal.userId : principal.credentialId;
  return principal.type === "share_link" ? principal.link.shareLinkId : principal.type;
}

/** The proxies whose `X-Forwarded-For` is believed, by address. */
export interface TrustedProxies {
  has(address: string): boolean;
}

export type MetaOf = (request: Request) => RequestMeta;

/** The caller's address: the last one in `X-Forwarded-For` that is no trusted proxy's. */
export function clientAddress(
  { headers }: Pick<Request, "headers">,
  peer: string,
  trustedProxies: TrustedProxies,
): string {
  const from = plain(peer);
  const forwarded = headers.get("x-forwarded-for");
  if (forwarded === null || !trustedProxies.has(from)) return from;
  const hops = forwarded.split(",").map((hop) => plain(hop.trim()));
  return hops.findLast((hop) => hop !== "" && !trustedProxies.has(hop)) ?? from;
}

/** An IPv4 address as itself, where a socket for both kinds writes it as one of IPv6. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
