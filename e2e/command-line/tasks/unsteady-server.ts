// A server as it is on a bad day: in front of an instance stands a proxy that refuses some requests for going too fast,
// and the instance behind it dies without warning, to be started again on what it left.
import { expect } from "bun:test";

import { startInstance, type Instance } from "../../harness/instance.ts";

export interface UnsteadyServer {
  /** The proxy's. */
  readonly origin: string;
  /** As it is now. */
  instance(): Instance;
  /** Settles once so many artifacts were asked for. */
  asked(count: number): Promise<void>;
  /** How often it told somebody to wait. */
  refusals(): number;
  /** Settles once it has died and is back. */
  readonly revived: Promise<void>;
  stop(): Promise<void>;
}

/** Every this many-th request is refused. */
const refused = 60;

/** Dies while it answers the `deadly`-th request to create an artifact. */
export async function unsteadyServer(dataDir: string, deadly: number): Promise<UnsteadyServer> {
  let instance = await startInstance({ dataDir });
  let requests = 0;
  let creations = 0;
  let refusals = 0;
  const waiting = new Map<number, () => void>();
  const back = Promise.withResolvers<void>();

  async function answer(request: Request): Promise<Response> {
    if (++requests % refused === 0) {
      refusals++;
      return tooMany();
    }
    const { pathname, search } = new URL(request.url);
    const isCreation = request.method === "POST" && pathname === "/api/artifacts";
    if (isCreation) waiting.get(++creations)?.();
    const body = request.body === null ? null : await request.arrayBuffer();
    if (isCreation && creations === deadly) die().then(back.resolve, back.reject);
    const headers = new Headers(request.headers);
    headers.set("accept-encoding", "identity");
    return fetch(`${instance.origin}${pathname}${search}`, { method: request.method, headers, body });
  }

  /** Whoever was connected sees the connection lost, and finds nobody until it is back. */
  async function die(): Promise<void> {
    const { port } = server;
    await Promise.all([instance.kill(), server.stop(true)]);
    instance = await startInstance({ dataDir });
    server = Bun.serve({ port: port ?? 0, hostname: "127.0.0.1", fetch: answer });
  }

  let server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    instance: () => instance,
    asked: (count) => {
      expect(creations).toBeLessThan(count);
      return new Promise((resolve) => waiting.set(count, resolve));
    },
    refusals: () => refusals,
    revived: back.promise,
    stop: async () => {
      await server.stop(true);
      await instance.stop();
    },
  };
}

const tooMany = (): Response =>
  Response.json(
    { type: "about:blank", title: "Too many requests", status: 429, detail: "Wait 1 s", code: "rate_limited" },
    { status: 429, headers: { "content-type": "application/problem+json", "retry-after": "1" } },
  );
