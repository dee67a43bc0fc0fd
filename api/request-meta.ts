// Facts about a request beside its content: its identifier, its origin, and facts learned while it is handled.
import type { Surface } from "@plinth/contract/audit-kinds";
import { unmatched } from "@plinth/contract/served-request";
import { isPerson, type Principal } from "@plinth/domain/access/principal";

export interface RequestMeta {
  readonly requestId: string;
  readonly address: string;
  /** As the client sent it: the router replaces HEAD by GET. */
  readonly method: string;
  /** Facts for the log line, learned while the request is handled. */
  readonly learned: Learned;
  /** Calls the function once the request is answered, in any way. */
  readonly atEnd: (end: () => void) => void;
}

export interface Learned {
  /** The pattern of the route. */
  route: string;
  /** The operation's name; null where the request is for none. */
  operation: string | null;
  surface: Surface;
  /** The caller's identifier; null where the caller was not looked up. */
  principal: string | null;
}

export const nothingLearned = (): Learned => ({ route: unmatched, operation: null, surface: "api", principal: null });

/** The log's name of a principal: never a person's name or a mail address. */
export function shownPrincipal(principal: Principal): string {
  if (isPerson(principal)) return principal.type === "user" ? principal.userId : principal.credentialId;
  return principal.type === "share_link" ? principal.link.shareLinkId : principal.type;
}

/** The proxies whose `X-Forwarded-For` is trusted, by IP address. */
export interface TrustedProxies {
  has(address: string): boolean;
}

export type MetaOf = (request: Request) => RequestMeta;

/** The caller's IP address: the last one in `X-Forwarded-For` that is not a trusted proxy. */
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

/** Converts an IPv4-mapped IPv6 address, which a dual-stack socket reports, to IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
