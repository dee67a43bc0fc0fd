// Servers in place of an instance: one for each refusal that a healthy instance cannot be made to return, one that must
// receive no request, and an address on which no server listens.
import { errorCodes, type ErrorCode } from "@plinth/contract/errors";

export interface StandIns {
  /** The origin of a server that answers every request with this refusal. */
  readonly refusing: (code: ErrorCode) => string;
  /** The origin of a server that answers every request with this body. */
  readonly answering: (body: object) => string;
  /** An origin that records its requests. */
  readonly trap: string;
  /** The requests to the trap since the last call, as method and path. */
  readonly trapped: () => readonly string[];
  readonly nobody: string;
  /** A server that never answers, and a promise of its first request. */
  readonly silent: () => { readonly origin: string; readonly asked: Promise<void> };
  stop(): Promise<void>;
}

/** Longer than the client waits for anything. */
const retryAfterSeconds = 86_400;

const extra: Partial<Record<ErrorCode, object>> = {
  invalid_request: { errors: [{ path: "limit", message: "is not for this" }] },
  rate_limited: { retryAfterSeconds },
  busy: { retryAfterSeconds },
  version_expired: { versionNumber: 1, prunedAt: "2026-01-01T00:00:00.000Z" },
};

export function startStandIns(): StandIns {
  const servers = new Map<ErrorCode, Bun.Server<undefined>>();
  const others: Bun.Server<undefined>[] = [];
  let reached: string[] = [];
  const trap = serve((request) => {
    reached.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.json({});
  });
  return {
    refusing(code) {
      const server = servers.get(code) ?? serve(() => refusal(code));
      servers.set(code, server);
      return originOf(server);
    },
    answering(body) {
      const server = serve(() => Response.json(body));
      others.push(server);
      return originOf(server);
    },
    trap: originOf(trap),
    trapped() {
      const seen = reached;
      reached = [];
      return seen;
    },
    // A port that is never assigned to a program.
    nobody: "http://127.0.0.1:1",
    silent() {
      const asked = Promise.withResolvers<void>();
      const server = serve(async () => {
        asked.resolve();
        return new Promise<Response>(() => {});
      });
      others.push(server);
      return { origin: originOf(server), asked: asked.promise };
    },
    stop: async () =>
      void (await Promise.all([trap, ...servers.values(), ...others].map((server) => server.stop(true)))),
  };
}

const serve = (fetch: (request: Request) => Response | Promise<Response>) =>
  Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });

const originOf = ({ port }: Bun.Server<undefined>): string => `http://127.0.0.1:${port}`;

function refusal(code: ErrorCode): Response {
  const { status, title } = errorCodes[code];
  const requestId = crypto.randomUUID();
  const problem = { type: `/docs/errors/${code}`, title, status, detail: `Stands in for ${code}`, code, requestId };
  const headers = {
    "content-type": "application/problem+json",
    "x-request-id": requestId,
    ...((status === 429 || status === 503) && { "retry-after": String(retryAfterSeconds) }),
  };
  return new Response(JSON.stringify({ ...problem, ...extra[code] }), { status, headers });
}
