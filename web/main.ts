// The web app as a process of its own: pages here, the API's paths passed on to API_ORIGIN.
import { isApiPath } from "@plinth/contract/api-paths";
import { log, logSettings } from "@plinth/contract/log";
import { logRequest } from "@plinth/contract/served-request";
import manifest from "./package.json" with { type: "json" };
import { createWebHandler } from "./handler.ts";
import { createApiFetch, createProxy } from "./proxy.ts";

log.configure(logSettings(process.env));
const port = Number(process.env.PORT ?? 3000);
const apiOrigin = process.env.API_ORIGIN;
if (apiOrigin === undefined) throw new Error("API_ORIGIN is not set: the address where the API runs.");

const apiFetch = createApiFetch(apiOrigin);
const proxy = createProxy(apiFetch);
const pages = await createWebHandler({
  api: (request) => apiFetch(request),
  publicUrl: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
  contentOrigin: process.env.CONTENT_ORIGIN,
  version: manifest.version,
  served: logRequest,
});

const server = Bun.serve({
  port,
  hostname: process.env.HOST ?? "127.0.0.1",
  // Longer than the API's pauses between two events of a stream.
  idleTimeout: 120,
  fetch(request, server) {
    const peer = { clientAddress: server.requestIP(request)?.address ?? "" };
    return isApiPath(new URL(request.url).pathname) ? proxy(request, peer) : pages(request, peer);
  },
});
log.write("info", { message: "web is listening", address: server.url.href });

// What was accepted is finished; a stream that never ends is cut before the supervisor would kill us.
const graceMilliseconds = 8000;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await Promise.race([server.stop(), Bun.sleep(graceMilliseconds)]);
    process.exit(0);
  });
}
