// The API over a test context, called like a program over HTTP.
import type { Config } from "@plinth/domain/config";
import type { Instance } from "@plinth/domain/context";
import { sessionCookie } from "@plinth/domain/tokens/session-cookie";
import type { ObjectStore } from "@plinth/db/object-store";
import { readRuntime } from "@plinth/runtime/manifest";
import { createSetup, emptyQueue, type Caller } from "@plinth/domain/test/context";

import { createApi, type Api } from "../app.ts";

export const origin = "http://plinth.test";

export interface Asked {
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The cookie of a session from `setup.session`, as a browser sends it. */
export function cookieOf(session: Caller, config: Config): string {
  if (typeof session === "string" || session.kind !== "session") throw new Error("a session was expected");
  return sessionCookie(config, session.token);
}

export type Service = Awaited<ReturnType<typeof createService>>;

export async function createService(changed: Partial<Config> = {}, objects: ObjectStore | null = null) {
  const setup = await createSetup(changed, emptyQueue, objects);
  const runtime = await readRuntime();
  const serve = (instance: Instance): Api => createApi({ instance, runtime, trustedProxies: new Set(["192.0.2.53"]) });
  const api = serve(setup.instance);

  const ask =
    (handler: Api) =>
    (method: string, path: string, { as, body, headers = {} }: Asked = {}): Promise<Response> => {
      const sent = new Headers(headers);
      if (as !== undefined) sent.set("authorization", `Bearer ${as}`);
      if (body !== undefined && !sent.has("content-type")) sent.set("content-type", "application/json");
      const init: RequestInit = { method, headers: sent };
      if (body !== undefined) init.body = isRaw(body) ? body : JSON.stringify(body);
      return handler(new Request(origin + path, init), "192.0.2.1");
    };

  return {
    setup,
    runtime,
    api,
    ask: ask(api),
    /** The same over another instance. */
    askOf: (instance: Instance) => ask(serve(instance)),
    close: () => setup.close(),
  };
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
