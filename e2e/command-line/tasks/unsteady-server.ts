// An unreliable server: a proxy in front of an instance answers some requests with 429, and the instance crashes and is
// started again on its data.
import { expect } from "bun:test";

import { startInstance, type Instance } from "../../harness/instance.ts";

export interface UnsteadyServer {
  /** The proxy's origin. */
  readonly origin: string;
  /** The current instance. */
  instance(): Instance;
  /** Settles after this many artifacts were requested. */
  asked(count: number): Promise<void>;
  /** How many requests it answered with 429. */
  refusals(): number;
  /** Settles after the crash, when it runs again. */
  readonly revived: Promise<void>;
  stop(): Promise<void>;
}

/** One of this many requests is refused. */
const refused = 60;

/** Crashes while it answers the `deadly`-th request to create an artifact. */
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

  /** Clients lose their connections, and new ones are refused until it runs again. */
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
