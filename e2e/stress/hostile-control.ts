// The control: a careless site that shows the same payloads without our headers, sandbox and sanitizer, to prove that
// they work. hostile-careless.ts has its mistakes.
import { bundleComponents } from "./hostile-bundle.ts";
import type { Case } from "./hostile-cases.ts";
import {
  carelessHome,
  carelessMarkdown,
  carelessPage,
  carelessScript,
  carelessText,
  carelessViewer,
} from "./hostile-careless.ts";

export interface Control {
  readonly origin: string;
  /** Adds cases. @throws if a jsx case has an error */
  add(cases: readonly Case[]): Promise<void>;
  /** The URL of the page that shows a case. */
  addressOf(name: string): string;
  stop(): Promise<void>;
}

const html = { "content-type": "text/html; charset=utf-8" };
const javascript = { "content-type": "text/javascript; charset=utf-8" };

/** Serves the documents; `profile` is what the site returns to a visitor with its cookie. */
export async function startControl(
  profile: string,
): Promise<Control & { add(documents: readonly Case[]): Promise<void> }> {
  const documents = new Map<string, Case>();
  const modules = new Map<string, string>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const [, place = "", ...rest] = pathname.split("/");
      const document = documents.get(rest.join("/"));
      if (place === "view" && document !== undefined)
        return new Response(carelessViewer(document.name), { headers: html });
      if (place === "document" && document !== undefined) return new Response(pageOf(document), { headers: html });
      if (place === "modules") return new Response(modules.get(rest.join("/")) ?? "", { headers: javascript });
      if (pathname === "/careless.js") return new Response(carelessScript, { headers: javascript });
      if (pathname === "/worker.js") return new Response("", { headers: javascript });
      if (place === "libraries") return libraryFile(rest.join("/"));
      if (place === "api") return apiAnswer(request, profile);
      return new Response(carelessHome, { headers: html });
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    origin,
    addressOf: (name) => `${origin}/view/${name}`,
    add: async (more) => {
      for (const document of more) documents.set(document.name, document);
      const components = more.filter(({ type, payload }) => type === "jsx" && payload.text === undefined);
      for (const [file, code] of await bundleComponents(components)) modules.set(file, code);
    },
    stop: () => server.stop(true),
  };
}

function pageOf({ name, type, payload, source }: Case): string {
  if (payload.text !== undefined) return carelessText(source);
  switch (type) {
    case "html":
      return `${source}\n<script src="/careless.js"></script>`;
    case "md":
      return carelessPage(`<main>${carelessMarkdown(source)}</main>`);
    case "jsx":
      return carelessPage(`<div id="root"></div><script type="module" src="/modules/${name}.js"></script>`);
  }
}

/** Returns the profile to a visitor with a cookie, and makes every requested change. */
const apiAnswer = (request: Request, profile: string): Response =>
  request.headers.has("cookie") ? Response.json({ profile }) : new Response(null, { status: 401 });

async function libraryFile(path: string): Promise<Response> {
  const file = Bun.file(new URL(`../node_modules/${path}`, import.meta.url));
  return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 });
}
