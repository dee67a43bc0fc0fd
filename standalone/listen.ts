// One port for API and web app, or for either. Knows which address is whose, and nothing else.
import type { Api } from "@plinth/api/app";
import { problemResponse } from "@plinth/api/problem";
import { isApiPath } from "@plinth/contract/api-paths";
import type { AppError } from "@plinth/contract/errors";
import { bodyBytesBeyondContent } from "@plinth/contract/limits";
import { requestIdOf } from "@plinth/contract/request-id";
import { notFound } from "@plinth/domain/access/refusals";
import { contentTooLarge } from "@plinth/domain/content/size";
import { invalid } from "@plinth/domain/input";
import { bytesOf, unmatched } from "@plinth/contract/served-request";
import { tell } from "@plinth/domain/telemetry";
import type { WebHandler } from "@plinth/web/handler";

import type { Environment } from "./environment.ts";

interface Listening {
  readonly environment: Environment;
  readonly api: Api;
  /** Null where the web app runs apart. */
  readonly web: WebHandler | null;
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

/** Whether a page is sent more than a form can hold. A browser always says how long a form is. */
function isLarge({ body, headers }: Request, maxContentBytes: number): boolean {
  const length = headers.get("content-length");
  return body !== null && (length === null || Number(length) > maxContentBytes * formFactor + bodyBytesBeyondContent);
}

/** All that a host of its own for content serves (security 1). */
const isContentPath = (pathname: string): boolean => /^\/_(?:content|runtime)\//.test(pathname);

/** Opens the port. @throws where it is taken */
export function listen({ environment, api, web }: Listening): Server {
  const { port, host, publicUrl, contentOrigin, maxContentBytes } = environment;
  const contentHost = contentOrigin === publicUrl ? null : new URL(contentOrigin).host;
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
  let server: ReturnType<typeof Bun.serve>;
  try {
    server = Bun.serve({
      port,
      hostname: host,
      idleTimeout: 60,
      development: false,
      // Bun would share the port with another process rather than say that it is taken.
      reusePort: false,
      // Bun's own refusal says nothing that a program could read, so whoever reads a body bounds it.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch(request, bun) {
        const peer = bun.requestIP(request)?.address ?? "";
        const url = URL.parse(request.url);
        if (url === null) return refuse(invalid([{ path: "Host", message: "is not the name of a host" }]), request);
        if (url.host === contentHost && !isContentPath(url.pathname)) return refuse(notFound(), request);
        if (isApiPath(url.pathname)) return api(request, peer);
        if (web === null) return refuse(notFound(), request);
        if (isLarge(request, maxContentBytes)) return refuse(contentTooLarge(maxContentBytes), request);
        return web(request, { clientAddress: peer });
      },
      error: (error) => problemResponse(error, requestIdOf(new Headers()), publicUrl),
    });
  } catch (error) {
    const taken = (error as { code?: unknown }).code === "EADDRINUSE";
    throw taken ? new Error(`Port ${port} on ${host} is taken. Set PORT to another one.`) : error;
  }
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
