// One port for API and web app, or for either. Knows which address is whose, and nothing else.
import type { Api } from "@plinth/api/app";
import { readBounded } from "@plinth/api/body";
import { createBodyRoom, type BodyRoom } from "@plinth/api/body-room";
import { problemResponse } from "@plinth/api/problem";
import { clientAddress } from "@plinth/api/request-meta";
import { isApiPath } from "@plinth/contract/api-paths";
import { AppError } from "@plinth/contract/errors";
import { bodyBytesBeyondContent } from "@plinth/contract/limits";
import { requestIdOf } from "@plinth/contract/request-id";
import { notFound } from "@plinth/domain/access/refusals";
import { contentTooLarge } from "@plinth/domain/storage/size";
import { invalid } from "@plinth/domain/input";
import { addressKey } from "@plinth/domain/rate-limit";
import { bytesOf, unmatched } from "@plinth/contract/served-request";
import { tell } from "@plinth/domain/telemetry";
import type { WebHandler } from "@plinth/web/handler";

import { createHostCheck } from "./allowed-host.ts";
import type { Environment } from "./environment.ts";
import { openPort, type OpenPort } from "./open-port.ts";

interface Listening {
  readonly environment: Environment;
  readonly api: Api;
  /** Null where the web app runs apart. */
  readonly web: WebHandler | null;
  /** The port, where it was opened earlier. */
  readonly opened?: OpenPort;
  /** For the large forms that are read at once. */
  readonly formRoom?: BodyRoom;
}

interface Server {
  /** Where it listens. */
  readonly address: string;
  /** Takes no more requests and waits for those under way. */
  drain(): Promise<void>;
}

/** Time for requests under way when the process is told to end, in ms. */
const drainMs = 8000;

/** Turns of the event loop for what had reached this machine before: its connection is taken, then its first bytes are read. */
const lastTurns = 5;
const turnMs = 10;

/** A form writes a byte of content as three characters. */
const formFactor = 3;

const megabyte = 1024 * 1024;

/** Bytes of a form that is read without asking for room. */
const smallForm = 64 * 1024;

/**
 * A form is read whole before it is known who sends it, since who may send one is the page's to say; so large forms share a room.
 * They are parsed once that is known (web/src/lib/server/submit.ts). The API's bodies have another room.
 */
const usualFormRoom = createBodyRoom({
  bytes: 32 * megabyte,
  bytesOfOne: 16 * megabyte,
  waiting: { ofOne: 20, inAll: 200 },
  waitMs: 5000,
  promptMs: 10_000,
});

/** Whether a page is sent more than a form can hold. A browser always says how long a form is. */
function isLarge({ body, headers }: Request, maxContentBytes: number): boolean {
  const length = headers.get("content-length");
  return body !== null && (length === null || Number(length) > maxContentBytes * formFactor + bodyBytesBeyondContent);
}

/**
 * Whether the connection ends with the answer. The server goes on reading a body that no route has read, so one without
 * a declared length, or longer than an unescaped text, would be read to its end for nothing.
 */
function endsConnection({ headers }: Request, maxContentBytes: number): boolean {
  if (headers.has("transfer-encoding")) return true;
  return Number(headers.get("content-length") ?? 0) > maxContentBytes + bodyBytesBeyondContent;
}

/** All that a host of its own for content serves (docs/reference/security.md §1). */
const isContentPath = (pathname: string): boolean => /^\/_(?:content|runtime)\//.test(pathname);

/** Whether a request is for the host of content: by its name alone, unless the app differs from it by the port alone. */
function contentHostOf(publicUrl: string, contentOrigin: string): (url: URL) => boolean {
  if (contentOrigin === publicUrl) return () => false;
  const [app, content] = [new URL(publicUrl), new URL(contentOrigin)];
  return app.hostname === content.hostname
    ? ({ host }) => host === content.host
    : ({ hostname }) => hostname === content.hostname;
}

/** Before a refusal ends a connection, in ms: a client that is still sending looks for an answer only when it has to wait. */
const refusalMs = 100;

async function ended(answered: Response | Promise<Response>): Promise<Response> {
  const { body, status, headers } = await answered;
  if (status >= 400) await Bun.sleep(refusalMs);
  const last = new Headers(headers);
  last.set("connection", "close");
  return new Response(body, { status, headers: last });
}

/** Serves at the port. @throws where it is not open yet, and taken */
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
  /** What neither of them is asked. */
  function refuse(refusal: AppError, { method, headers }: Request): Response {
    const requestId = requestIdOf(headers);
    const response = problemResponse(refusal, requestId, publicUrl);
    const told = {
      requestId,
      method,
      route: unmatched,
      status: response.status,
      surface: "web",
      principal: null,
    } as const;
    tell("request", { ...told, ms: 0, bytes: bytesOf(response) });
    return response;
  }
  function answer(request: Request, peer: string): Response | Promise<Response> {
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
    const answered = answer(request, bun.requestIP(request)?.address ?? "");
    return endsConnection(request, maxContentBytes) ? ended(answered) : answered;
  });
  return {
    address: server.url.origin,
    async drain() {
      // A connection of which nothing was read yet would be reset with all that it was sent.
      for (let turn = 0; turn < lastTurns; turn++) await Bun.sleep(turnMs);
      const late = Bun.sleep(drainMs).then(() => server.stop(true));
      await Promise.race([server.stop(), late]);
    },
  };
}
