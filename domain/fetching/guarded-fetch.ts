// The one way to fetch what strangers name (docs/reference/security.md §5): from public addresses, checked for the
// address that is connected to, bounded in size and time, without credentials.
import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";

import { isPublicAddress } from "./public-address.ts";

export interface FetchLimits {
  readonly bytes: number;
  /** For the whole of it, redirects included. */
  readonly ms: number;
  /**
   * An origin of the operator's, which may have a private address and speak http; null for none. Any other must have a
   * public one and speak https.
   */
  readonly trustedOrigin: string | null;
  /** Whether http is fetched from any origin, as of an image, whose bytes no digest names either way. */
  readonly allowsHttp?: boolean;
  readonly accept?: string;
}

export interface Fetched {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

export type FetchRefusal = "address" | "protocol" | "port" | "redirects" | "size" | "time" | "unreachable";

/** Why nothing was fetched; `unreachable` and `time` may be otherwise another time. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  constructor(
    readonly refusal: FetchRefusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const redirectsMax = 3;
/** The ports below are of well-known services. */
const registeredPorts = 1024;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const userAgent = "Plinth (+package and image fetcher)";

type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const systemResolve: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookUp(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });

/** GET, following redirects. @throws FetchError */
export async function guardedFetch(address: string, limits: FetchLimits, resolve = systemResolve): Promise<Fetched> {
  const signal = AbortSignal.timeout(limits.ms);
  let url = new URL(address);
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const answer = await get(url, limits, resolve, signal);
    if (!("location" in answer)) return answer;
    const next = URL.parse(answer.location, url);
    if (next === null) throw new FetchError("redirects", `${url.host} redirects to no URL`);
    url = next;
  }
  throw new FetchError("redirects", `${url.host} redirects more than ${redirectsMax} times`);
}

async function get(url: URL, limits: FetchLimits, resolve: Resolve, signal: AbortSignal) {
  url.username = "";
  url.password = "";
  const isTrusted = url.origin === limits.trustedOrigin;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && (isTrusted || limits.allowsHttp === true)))
    throw new FetchError("protocol", `${url.protocol} is not fetched`);
  // Of what speaks another protocol at a well-known port, such as mail, http could write commands.
  if (url.protocol === "http:" && !isTrusted && url.port !== "" && Number(url.port) < registeredPorts)
    throw new FetchError("port", `${url.host} is no web server`);
  const address = await connectable(url, isTrusted, resolve, signal);
  const answer = await ask(url, address, limits, signal);
  const status = answer.statusCode ?? 0;
  const { location } = answer.headers;
  if (redirectStatuses.has(status) && location !== undefined) {
    answer.destroy();
    return { location };
  }
  return { status, bytes: await boundedBytes(answer, url, limits, signal), url: url.href };
}

/** An address of the host; where one of them is not public, none is used. @throws FetchError */
async function connectable(url: URL, isTrusted: boolean, resolve: Resolve, signal: AbortSignal) {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses =
    isIP(host) === 0 ? await raced(resolve(host), url, signal) : [{ address: host, family: isIP(host) }];
  const [first] = addresses;
  if (first === undefined) throw new FetchError("unreachable", `${url.host} has no address`);
  if (!isTrusted && !addresses.every((found) => isPublicAddress(found.address)))
    throw new FetchError("address", `${url.host} has an address that is not public`);
  return first;
}

/** Connects to the address that was checked, and to no other that the name has by then. */
function ask(url: URL, checked: LookupAddress, { accept = "*/*" }: FetchLimits, signal: AbortSignal) {
  const lookup: LookupFunction = (_host, { all }, found) =>
    all === true ? found(null, [checked]) : found(null, checked.address, checked.family);
  // A new connection each time: a kept one could lead to an address that was never checked for this host.
  const options = {
    agent: false,
    lookup,
    signal,
    headers: { accept, "user-agent": userAgent, "accept-encoding": "identity" },
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, resolve);
    sent.on("error", (cause) => reject(failure(url, cause, signal)));
    sent.end();
  });
}

async function boundedBytes(answer: IncomingMessage, url: URL, { bytes }: FetchLimits, signal: AbortSignal) {
  const tooLarge = () => new FetchError("size", `${url.host} sent more than ${bytes} bytes`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (Number(answer.headers["content-length"] ?? 0) > bytes) throw tooLarge();
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > bytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof FetchError ? cause : failure(url, cause, signal);
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks);
}

const failure = (url: URL, cause: unknown, signal: AbortSignal): FetchError =>
  signal.aborted
    ? new FetchError("time", `${url.host} took too long`, { cause })
    : new FetchError("unreachable", `${url.host} can't be reached`, { cause });

/** A resolver has its own time limits, longer than ours. */
async function raced<Result>(work: Promise<Result>, url: URL, signal: AbortSignal): Promise<Result> {
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(failure(url, signal.reason, signal));
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, ended.promise]);
  } catch (cause) {
    throw cause instanceof FetchError ? cause : failure(url, cause, signal);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
