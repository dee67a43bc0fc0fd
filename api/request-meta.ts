// What is known of a request before anything is read of it: its identifier and where it comes from.
export interface RequestMeta {
  readonly requestId: string;
  readonly address: string;
  /** As it was asked: the router takes HEAD for GET. */
  readonly method: string;
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
