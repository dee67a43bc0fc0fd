// The port, opened before anything else starts, so that a taken port is found before a database is created or a job is
// done. It answers 503 until the process serves.
import { problemResponse } from "@plinth/api/problem";
import { AppError, toProblem } from "@plinth/contract/errors";
import { requestIdOf } from "@plinth/platform/request-id";

import type { Environment } from "./environment.ts";

type Handle = (request: Request, bun: Bun.Server<undefined>) => Response | Promise<Response>;

export interface OpenPort {
  readonly server: Bun.Server<undefined>;
  /** Passes all further requests to this handler. */
  serve(handle: Handle): void;
}

/** Opens the port. @throws where it is taken */
export function openPort({ port, host, publicUrl }: Pick<Environment, "port" | "host" | "publicUrl">): OpenPort {
  let handle: Handle = (request) => starting(requestIdOf(request.headers), publicUrl);
  try {
    const server = Bun.serve({
      port,
      hostname: host,
      idleTimeout: 60,
      development: false,
      // Otherwise Bun would share the port with another process and not report that it is taken.
      reusePort: false,
      // Bun's own error has no machine-readable body, so the code that reads a body limits it.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, bun) => handle(request, bun),
      error: (error) => problemResponse(error, requestIdOf(new Headers()), publicUrl),
    });
    return { server, serve: (given) => (handle = given) };
  } catch (error) {
    const taken = (error as { code?: unknown }).code === "EADDRINUSE";
    throw taken ? new Error(`Port ${port} on ${host} is taken. Set PORT to another one.`) : error;
  }
}

/** Not by problemResponse, which logs 5xx: starting is not a fault. */
function starting(requestId: string, publicUrl: string): Response {
  const hint = "Send the same request again in a moment";
  const refusal = new AppError("unavailable", "Plinth is starting", { retryAfterSeconds: 2, hint });
  const headers = { "content-type": "application/problem+json", "cache-control": "no-store", "retry-after": "2" };
  return new Response(JSON.stringify(toProblem(refusal, requestId, publicUrl)), { status: refusal.status, headers });
}

/** @throws where a port that is opened later is taken */
export function requireFree(port: number | null, host: string, variable: string): void {
  if (port === null) return;
  try {
    Bun.listen({ port, hostname: host, socket: { data: () => undefined } }).stop(true);
  } catch (error) {
    const taken = (error as { code?: unknown }).code === "EADDRINUSE";
    throw taken ? new Error(`Port ${port} on ${host} is taken. Set ${variable} to another one.`) : error;
  }
}
