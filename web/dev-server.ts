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
import type { Adapter } from "@sveltejs/kit";
import { appConfig } from "./app-config.ts";
import { paymentOriginsOf, type WebHandlerOptions } from "./handler.ts";
import { createApiFetch, createProxy } from "./proxy.ts";
import type { WebPlatform } from "./web-platform.ts";

// The changes that `bun run dev` makes to a page: scripts and styles come from Vite, so the policy allows them, and a
// page without SvelteKit's client reloads when its modules change.

/** Of app.html's own script. */
const firstNonce = /<script nonce="([A-Za-z0-9+/=]+)">/;
/** Built, these scripts stand alone; Vite serves modules. */
const moduleScript = /<script (?=src="[^"]*worker_file)/g;
/** How SvelteKit starts its client in a page. */
const clientStart = "kit.start(";

/** A page's HTML as Vite needs it. */
function devPage(html: string): string {
  const page = html.replace(moduleScript, '<script type="module" ');
  const nonce = firstNonce.exec(html)?.[1];
  if (nonce === undefined || html.includes(clientStart)) return page;
  const script = `import { createHotContext } from "/@vite/client";
createHotContext("/page").on("vite:beforeUpdate", () => location.reload());`;
  return page.replace("</body>", `<script type="module" nonce="${nonce}">${script}</script></body>`);
}

/**
 * A page's policy with what Vite adds: scripts outside `/_app/immutable/`, style elements, and the WebSocket of hot reload,
 * which not every browser counts as `'self'`.
 */
function devPolicy(policy: string, publicUrl: string): string {
  return policy
    .replace(`script-src ${publicUrl}/_app/immutable/`, "script-src 'self'")
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ${publicUrl.replace(/^http/, "ws")}`);
}

// SvelteKit's adapter for `bun run dev`: tells pages about the instance, as handler.ts does for the built app, and changes
// them for Vite. The built app has no part of it.

/** The adapter of a development server whose pages get this platform. It cannot build. */
function devAdapter(platform: WebPlatform): Adapter {
  return {
    name: "plinth-dev",
    adapt() {
      throw new Error("The development server builds nothing.");
    },
    emulate: () => ({ platform: () => platform }),
    vite: {
      setResponse(res, response) {
        if (!response.headers.get("content-type")?.startsWith("text/html")) return setResponse(res, response);
        const headers = new Headers(response.headers);
        const policy = headers.get("content-security-policy");
        if (policy !== null) headers.set("content-security-policy", devPolicy(policy, platform.publicUrl));
        headers.delete("content-length");
        void response.text().then((html) => {
          const body = html === "" ? null : devPage(html);
          setResponse(res, new Response(body, { status: response.status, headers }));
        });
      },
    },
  };
}

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
