// The web app of `bun run dev`: Vite's development server at the instance's address. It passes the API's paths on to a
// server process that may be replaced at any time.
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { isApiPath } from "@plinth/contract/api-paths";
import { contentBytes } from "@plinth/contract/limits";
import { getRequest, setResponse } from "@sveltejs/kit/node";
import { createServer as createVite, type Plugin } from "vite";
import { appConfig } from "./app-config.ts";
import { devAdapter } from "./dev-adapter.ts";
import { paymentOriginsOf, type WebHandlerOptions } from "./handler.ts";
import { createApiFetch, createProxy } from "./proxy.ts";

interface DevServerOptions extends Omit<WebHandlerOptions, "api" | "read" | "served"> {
  /** Where it listens. */
  host: string;
  port: number;
  /** Names beside the public one that requests may be for. */
  allowedHosts: readonly string[];
  /** Where the API is; waits while the server process restarts. */
  apiOrigin: () => Promise<string>;
}

const folder = import.meta.dirname;

/**
 * Starts Vite at the port and makes this folder the working directory of the process.
 * @throws Error where the port is taken
 */
export async function startDevServer(options: DevServerOptions): Promise<{ close(): Promise<void> }> {
  const { host, port, allowedHosts, apiOrigin, publicUrl, contentOrigin = publicUrl } = options;
  process.chdir(folder);
  const adapter = devAdapter({
    api: async (request) => createApiFetch(await apiOrigin())(request),
    publicUrl,
    contentOrigin,
    paymentOrigins: paymentOriginsOf(options),
    maxContentBytes: options.maxContentBytes ?? contentBytes.default,
    version: options.version,
    site: {},
    matched: () => undefined,
  });
  const { plugins, ...config } = appConfig(adapter);
  const http = createServer();
  const vite = await createVite({
    ...config,
    plugins: [apiPaths(apiOrigin), reloadAfterServerChange, ...plugins],
    configFile: false,
    root: folder,
    clearScreen: false,
    server: {
      // Vite's own server would end the process at a signal, without the database and the server process.
      middlewareMode: true,
      hmr: { server: http },
      cors: false,
      allowedHosts: [new URL(publicUrl).hostname, new URL(contentOrigin).hostname, ...allowedHosts],
      // Files are served by their real path, and `node_modules` may be a link.
      fs: {
        allow: [
          join(folder, "../contract"),
          join(folder, "../platform"),
          realpathSync(join(folder, "../node_modules")),
        ],
      },
    },
  });
  http.on("request", (req, res) => {
    keepAddress(req.socket);
    vite.middlewares(req, res);
  });
  http.listen(port, host);
  await once(http, "listening");
  return {
    async close() {
      await vite.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

/** A closed socket forgets its address, which Kit asks for only while it makes the page. */
function keepAddress(socket: Socket): void {
  const value = socket.remoteAddress;
  if (value !== undefined && !Object.hasOwn(socket, "remoteAddress"))
    Object.defineProperty(socket, "remoteAddress", { value });
}

/** Passes the API's paths on, ahead of what Vite and SvelteKit answer. */
const apiPaths = (apiOrigin: DevServerOptions["apiOrigin"]): Plugin => ({
  name: "plinth-api-paths",
  configureServer({ middlewares }) {
    middlewares.use((req, res, next) => {
      const base = `http://${req.headers.host}`;
      const url = URL.parse(req.url ?? "/", base);
      if (url === null || !isApiPath(url.pathname)) return next();
      const clientAddress = req.socket.remoteAddress ?? "";
      const pass = async () => {
        const proxy = createProxy(createApiFetch(await apiOrigin()));
        const request = keptOpen(getRequest({ base, request: req, response: res }));
        setResponse(res, await proxy(request, { clientAddress }));
      };
      pass().catch((error: unknown) => {
        res.statusCode = 502;
        res.end(String(error));
      });
    });
  },
});

/**
 * The request whose body ends with its answer: the API may refuse before it reads the body, and Kit's body, when it is
 * cancelled then, closes the connection on which the answer is sent.
 */
function keptOpen(request: Request): Request {
  if (request.body === null) return request;
  const body = request.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { preventCancel: true });
  return new Request(request, { method: request.method, body });
}

/** Modules that only the server runs, such as a page's load function: no client can replace them, so pages load again. */
const reloadAfterServerChange: Plugin = {
  name: "plinth-reload-after-server-change",
  hotUpdate({ file, modules, server }) {
    const { client } = server.environments;
    if (this.environment === client || modules.length === 0 || client.moduleGraph.getModulesByFile(file)?.size) return;
    client.hot.send({ type: "full-reload" });
  },
};
