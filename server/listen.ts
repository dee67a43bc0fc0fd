// One port for API and web app, or for one of them. It routes by path and knows nothing else.
import type { Api } from "@plinth/api/app";
import { readBounded } from "@plinth/api/body";
import { createBodyRoom, type BodyRoom } from "@plinth/api/body-room";
import { problemResponse } from "@plinth/api/problem";
import { clientAddress } from "@plinth/api/request-meta";
import { isApiPath } from "@plinth/contract/api-paths";
import { AppError } from "@plinth/contract/errors";
import { bodyBytesBeyondContent } from "@plinth/contract/limits";
import { requestIdOf } from "@plinth/platform/request-id";
import { notFound } from "@plinth/domain/access/refusals";
import { contentTooLarge } from "@plinth/domain/storage/size";
import { invalid } from "@plinth/domain/input";
import { addressKey } from "@plinth/domain/rate-limit";
import { bytesOf, unmatched } from "@plinth/contract/served-request";
import { emit } from "@plinth/domain/telemetry";
import { withoutBody } from "@plinth/platform/whole-body";
import type { WebHandler } from "@plinth/web/handler";

import type { Environment } from "./environment.ts";
import { openPort, type OpenPort } from "./open-port.ts";
import { isLoopback } from "./identity-environment.ts";

// The host names that this instance accepts. Otherwise a page of another site could point its name at this IP address
// (DNS rebinding) and read what the instance has published as if it were same-origin.

/**
 * Paths for programs that reach a process by its machine's IP address: health checks, and Prometheus with its token.
 */
const exempt: ReadonlySet<string> = new Set(["/api/health", "/metrics"]);

/** Addresses of every interface, including the loopback interface. */
const everyInterface: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"]);

type Hosts = Pick<Environment, "publicUrl" | "contentOrigin" | "allowedHosts" | "host">;

/** Creates the check, which returns the error for a URL of another host, or null. */
export function createHostCheck({ publicUrl, contentOrigin, allowedHosts, host }: Hosts) {
  const own: ReadonlySet<string> = new Set([
    ...[publicUrl, contentOrigin].map((origin) => new URL(origin).hostname),
    ...allowedHosts,
  ]);
  const hasLoopback = isLoopback(host) || everyInterface.has(host);
  return ({ hostname, pathname }: URL): AppError | null => {
    if (own.has(hostname) || (hasLoopback && isLoopback(hostname)) || exempt.has(pathname)) return null;
    return new AppError("misdirected_request", "This instance does not answer to that host name", {
      hint: `Use ${publicUrl}; the operator adds names with ALLOWED_HOSTS`,
    });
  };
}

interface Listening {
  readonly environment: Environment;
  readonly api: Api;
  /** Null where the web app runs in another process. */
  readonly web: WebHandler | null;
  /** The port, where it was opened earlier. */
  readonly opened?: OpenPort;
  /** The memory for large forms that are read at once. */
  readonly formRoom?: BodyRoom;
}

interface Server {
  /** The URL of the server. */
  readonly address: string;
  /** Accepts no more requests and waits for those in progress. */
  drain(): Promise<void>;
}

/** The time for requests in progress at shutdown, in ms; of the whole time (run.ts) the database needs the rest. */
const drainMs = 7000;

/**
 * Turns of the event loop for data that had already reached the machine: one accepts its connection, the next reads its
 * first bytes.
 */
const lastTurns = 5;
const turnMs = 10;

/** A form encodes a byte of content in at most three characters. */
const formFactor = 3;

const megabyte = 1024 * 1024;

/** The largest form that is read without reserving memory, in bytes. */
const smallForm = 64 * 1024;

/**
 * A form is read whole before its sender is known, because only the page decides who may send one. Large forms
 * therefore share this memory. They are parsed once the sender is known (web/src/lib/server/submit.ts). The API's
 * bodies have separate memory.
 */
const usualFormRoom = createBodyRoom({
  bytes: 32 * megabyte,
  bytesOfOne: 16 * megabyte,
  waiting: { ofOne: 20, inAll: 200 },
  waitMs: 5000,
  promptMs: 10_000,
});

/** Whether the body is larger than a form can be. A browser always sends the length of a form. */
function isLarge({ body, headers }: Request, maxContentBytes: number): boolean {
  const length = headers.get("content-length");
  return body !== null && (length === null || Number(length) > maxContentBytes * formFactor + bodyBytesBeyondContent);
}

/**
 * Whether the connection ends with the response. Otherwise the server would read an unread body to its end, even one
 * without a declared length, or one longer than an unescaped text.
 */
function endsConnection({ headers }: Request, maxContentBytes: number): boolean {
  if (headers.has("transfer-encoding")) return true;
  return Number(headers.get("content-length") ?? 0) > maxContentBytes + bodyBytesBeyondContent;
}

/** The only paths of a separate content host (docs/reference/security.md §1). */
const isContentPath = (pathname: string): boolean => /^\/_(?:content|images|packages|runtime)\//.test(pathname);

/**
 * Whether a request is for the content host: by the host name alone, unless app and content differ only by the port.
 */
function contentHostOf(publicUrl: string, contentOrigin: string): (url: URL) => boolean {
  if (contentOrigin === publicUrl) return () => false;
  const [app, content] = [new URL(publicUrl), new URL(contentOrigin)];
  return app.hostname === content.hostname
    ? ({ host }) => host === content.host
    : ({ hostname }) => hostname === content.hostname;
}

/**
 * The delay of an error that ends the connection, in ms: a client that is still sending looks for a response only when
 * it has to wait.
 */
const refusalMs = 100;

async function ended(answered: Response | Promise<Response>): Promise<Response> {
  const { body, status, headers } = await answered;
  if (status >= 400) await Bun.sleep(refusalMs);
  const last = new Headers(headers);
  last.set("connection", "close");
  return new Response(body, { status, headers: last });
}

/** Serves at the port. @throws where the port is not open yet, and taken */
export function listen({
  environment,
  api,
  web,
  opened = openPort(environment),
  formRoom = usualFormRoom,
}: Listening): Server {
  const { publicUrl, contentOrigin, maxContentBytes, trustedProxies } = environment;
  const isContentHost = contentHostOf(publicUrl, contentOrigin);
  const hostCheck = createHostCheck(environment);
  /** Answers a request that reaches neither the API nor the web app. */
  function refuse(refusal: AppError, { method, headers }: Request): Response {
    const requestId = requestIdOf(headers);
    const response = problemResponse(refusal, requestId, publicUrl);
    const told = {
      requestId,
      method,
      route: unmatched,
      operation: null,
      status: response.status,
      surface: "web",
      principal: null,
    } as const;
    emit("request", { ...told, ms: 0, mainThread: null, bytes: bytesOf(response) });
    return response;
  }
  function answer(request: Request, peer: string): Response | Promise<Response> {
    // Two headers are joined; a proxy in front may go by another one than we do.
    if (request.headers.get("host")?.includes(",") === true)
      return refuse(invalid([{ path: "Host", message: "must be given once" }]), request);
    const url = URL.parse(request.url);
    if (url === null) return refuse(invalid([{ path: "Host", message: "is not the name of a host" }]), request);
    const foreign = hostCheck(url);
    if (foreign !== null) return refuse(foreign, request);
    if (isContentHost(url) && !isContentPath(url.pathname)) return refuse(notFound(), request);
    if (isApiPath(url.pathname)) return api(request, peer);
    if (web === null) return refuse(notFound(), request);
    if (isLarge(request, maxContentBytes)) return refuse(contentTooLarge(maxContentBytes), request);
    return page(web, request, peer);
  }
  async function page(serve: WebHandler, request: Request, peer: string): Promise<Response> {
    const length = Number(request.headers.get("content-length") ?? 0);
    if (request.body === null || length <= smallForm) return serve(request, { clientAddress: peer });
    const leaves: (() => void)[] = [];
    const identify = () => Promise.resolve(addressKey(clientAddress(request, peer, trustedProxies)));
    const keep = (leave: () => void) => void leaves.push(leave);
    try {
      const form = await readBounded(request, { limitBytes: length, identify, keep, room: formRoom });
      if (form instanceof AppError) return refuse(form, request);
      const { url, method, headers, signal } = request;
      const body = form as Uint8Array<ArrayBuffer>;
      return await serve(new Request(url, { method, headers, signal, body }), { clientAddress: peer });
    } catch (error) {
      if (error instanceof AppError) return refuse(error, request);
      throw error;
    } finally {
      for (const leave of leaves) leave();
    }
  }
  const { server } = opened;
  opened.serve((request, bun) => {
    const peer = bun.requestIP(request)?.address ?? "";
    const answered =
      request.method === "HEAD" ? Promise.resolve(answer(request, peer)).then(withoutBody) : answer(request, peer);
    return endsConnection(request, maxContentBytes) ? ended(answered) : answered;
  });
  return {
    address: server.url.origin,
    async drain() {
      // Closing a connection with unread bytes would reset it and lose the request.
      for (let turn = 0; turn < lastTurns; turn++) await Bun.sleep(turnMs);
      const late = Bun.sleep(drainMs).then(() => server.stop(true));
      await Promise.race([server.stop(), late]);
    },
  };
}
