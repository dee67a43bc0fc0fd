// Adds a bearer token to each request of a program that has no credential. Knows nothing of the messages.
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface BearerProxy {
  readonly origin: string;
  stop(): void;
}

/** `target` is an origin over HTTP. The `host` that the program sent stays, since it is one of the things to be checked. */
export async function startBearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((received, answer) => {
    const { method, url, headers } = received;
    const passed = request({
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, authorization: `Bearer ${token}` },
      agent: false,
    });
    passed.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on("error", (error) => answer.destroy(error));
    answer.on("close", () => passed.destroy());
    received.pipe(passed);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
