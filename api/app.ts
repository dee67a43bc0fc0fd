// The API as one handler: the registry's routes, content and runtime, the documentation. Elysia routes; the domain does
// every check.
import { agentsText } from "@plinth/contract/guides/agents";
import { llmsText } from "@plinth/contract/guides/llms";
import { serverCard } from "@plinth/contract/guides/server-card";
import { skillText } from "@plinth/contract/guides/skill";
import { MainThreadWork } from "@plinth/platform/main-thread";
import { requestIdOf } from "@plinth/platform/request-id";
import { bytesOf } from "@plinth/contract/served-request";
import { boundWait } from "@plinth/db/waiting";
import { notFound } from "@plinth/domain/access/refusals";
import type { Instance } from "@plinth/domain/context";
import { type Figures, mayReadMetrics } from "@plinth/domain/metrics-token";
import type { Runtime } from "@plinth/runtime/manifest";
import { emit } from "@plinth/domain/telemetry";
import { AppError } from "@plinth/contract/errors";
import { Elysia } from "elysia";

import { addAuth } from "./auth.ts";
import { addBillingWebhook } from "./billing-webhook.ts";
import { addClient, type ClientFiles } from "./client/routes.ts";
import { addContent, createFramedDocuments } from "./content.ts";
import { addDrafts } from "./draft.ts";
import { docsFile, guide, referencePage } from "./docs.ts";
import { unknownRoute } from "./next-step.ts";
import { openApiDocument } from "./openapi-document.ts";
import { addMcp } from "./mcp/endpoint.ts";
import { addOAuth } from "./oauth.ts";
import { problemResponse } from "./problem.ts";
import { clientAddress, nothingLearned, type MetaOf, type RequestMeta, type TrustedProxies } from "./request-meta.ts";
import { createReadyReads } from "./ready-reads.ts";
import { addOperations } from "./rest.ts";
import { addShareGrant } from "./share-grant.ts";
import { imageResponse } from "./images.ts";
import { packageResponse } from "./packages.ts";
import { securityContact } from "./security-contact.ts";
import { runtimeFile } from "./runtime.ts";
import { addUploads } from "./uploads.ts";

/** @throws unauthenticated */
async function metricsPage({ headers }: Request, { token, contentType, text }: Figures): Promise<Response> {
  if (!mayReadMetrics(headers.get("authorization"), token))
    throw new AppError("unauthenticated", "The figures take the instance's METRICS_TOKEN as bearer");
  return new Response(await text(), {
    headers: { "content-type": contentType, "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

export interface ApiOptions {
  readonly instance: Instance;
  readonly runtime: Runtime;
  readonly trustedProxies: TrustedProxies;
  /** The command line that the process hands out; by default none. */
  readonly clientFiles?: ClientFiles;
  /** Present where the process serves metrics. */
  readonly figures?: Figures | undefined;
}

export type Api = (request: Request, peer: string) => Promise<Response>;

/** Creates the handler. `peer` is the IP address at the other end of the connection. */
export function createApi({ instance, runtime, trustedProxies, clientFiles, figures }: ApiOptions): Api {
  const { publicUrl, version } = instance.config;
  const peers = new WeakMap<Request, RequestMeta>();
  const metaOf: MetaOf = (request) =>
    peers.get(request) ?? {
      requestId: requestIdOf(request.headers),
      address: "",
      method: request.method,
      learned: nothingLearned(),
      atEnd: () => {
        throw new Error("only a request that is answered here has an end");
      },
    };
  const described = openApiDocument({ version, publicUrl });
  const [llms, skill, agents] = [llmsText(publicUrl), skillText(publicUrl), agentsText(publicUrl)];
  const card = JSON.stringify(serverCard({ publicUrl, version }));
  const serving = { instance, runtime, framed: createFramedDocuments() };
  const readyReads = createReadyReads(instance);

  const app = new Elysia({ aot: true });
  // A hook applies to the routes that come after it, so this one comes first.
  app.onError(({ error, code, request }) => {
    const { method, requestId } = metaOf(request);
    const isUnknown = code === "NOT_FOUND" && isOfApi(`${request.url}/`);
    const refusal = isUnknown
      ? unknownRoute(method, new URL(request.url).pathname)
      : code === "NOT_FOUND" || code === "PARSE"
        ? notFound()
        : error;
    return problemResponse(refusal, requestId, publicUrl);
  });
  app.onBeforeHandle(({ request, route }) => {
    const { learned } = metaOf(request);
    learned.route = route;
    if (isBrowsers(route)) learned.surface = "web";
  });
  addOperations(app, { instance, readyReads }, metaOf);
  addUploads(app, instance, metaOf);
  addOAuth(app, instance, metaOf);
  addMcp(app, instance, metaOf);
  addShareGrant(app, instance, metaOf);
  addAuth(app, instance, metaOf);
  addBillingWebhook(app, instance, metaOf);
  addClient(app, instance, clientFiles ?? null, metaOf);
  app
    .get("/api/openapi.json", ({ request }) => described(request))
    .get("/docs/reference", referencePage)
    .get("/llms.txt", () => guide(llms, "text/plain"))
    .get("/SKILL.md", () => guide(skill, "text/markdown"))
    .get("/AGENTS.md", () => guide(agents, "text/markdown"))
    .get("/.well-known/mcp.json", () => guide(card, "application/json"))
    .get("/.well-known/security.txt", () => found(securityContact(instance.config)))
    .get("/docs/reference/:file", async ({ params }) => found(await docsFile(params.file)))
    .get("/_images/:key", async ({ params, request }) =>
      found(await imageResponse(instance.db, params.key, request.headers.get("accept-encoding"))),
    )
    .get("/_packages/:package/*", async ({ request }) => found(await packageResponse(instance.db, request)))
    .get("/_runtime/:hash/:file", ({ params, request }) =>
      found(runtimeFile(runtime, params.hash, params.file, request.headers.get("accept-encoding"))),
    );
  addContent(app, serving, metaOf);
  addDrafts(app, serving, metaOf);
  if (figures !== undefined) app.get("/metrics", ({ request }) => metricsPage(request, figures));

  /** Completes the headers of an answer, and emits the request for log and metrics. */
  function finish(response: Response, request: Request, served: Served, work: MainThreadWork | null): Response {
    const { requestId, method, learned, startedAt } = served;
    if (!response.headers.has("x-request-id")) response.headers.set("x-request-id", requestId);
    // By it a client sees that it is older than the instance.
    if (isOfApi(request.url)) response.headers.set("x-plinth-version", version);
    const [ms, bytes] = [performance.now() - startedAt, bytesOf(response)];
    const mainThread = work?.end() ?? null;
    emit("request", { requestId, method, ...learned, status: response.status, ms, mainThread, bytes });
    return response;
  }

  async function route(request: Request, meta: RequestMeta, ends: readonly (() => void)[]): Promise<Response> {
    const asked = routable(request);
    peers.set(asked, meta);
    return boundWait(() => Promise.resolve(app.fetch(asked))).finally(() => {
      for (const end of ends) end();
    });
  }

  return (request, peer) => {
    const startedAt = performance.now();
    const ends: (() => void)[] = [];
    const meta: Served = {
      requestId: requestIdOf(request.headers),
      address: clientAddress(request, peer, trustedProxies),
      method: request.method,
      learned: nothingLearned(),
      atEnd: (end) => ends.push(end),
      startedAt,
    };
    const ready = readyReads.answer(request, meta);
    // The server sends an answer that is settled at once, in one write.
    if (ready instanceof Response) return Promise.resolve(finish(ready, request, meta, null));
    const work = new MainThreadWork();
    return (ready ?? work.run(() => route(request, meta, ends))).then((routed) => {
      const response = finish(routed, request, meta, work);
      return request.method === "HEAD" ? withoutStream(response) : response;
    });
  };
}

interface Served extends RequestMeta {
  readonly startedAt: number;
}

/** Whether a whole URL is below `/api/`, without parsing it. */
const isOfApi = (url: string): boolean => url.startsWith("/api/", url.indexOf("/", "https://".length));

const streamed: ReadonlySet<string> = new Set(["text/event-stream", "application/zip"]);

/** Routes that only browsers request, on behalf of a page. */
const isBrowsers = (route: string): boolean => /^\/(?:_content|_images|_packages|_runtime|api\/auth)\//.test(route);

/**
 * For HEAD. The server cannot omit the body of an endless event stream: it would close the connection unanswered. The
 * files of an archive are not read.
 */
async function withoutStream(response: Response): Promise<Response> {
  if (!streamed.has(response.headers.get("content-type") ?? "")) return response;
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

/** The position where the router starts to look for the path: after `http://` and four characters. */
const pathFrom = 11;

/**
 * Adapts a request to the router: HEAD becomes a GET, whose body the server omits and which has no range (RFC 9110 14.2), and
 * a short host is lengthened.
 */
function routable(request: Request): Request {
  const start = request.url.indexOf("/", "https://".length);
  const asGet = request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
  if (request.method === "HEAD") asGet.headers.delete("range");
  return start >= pathFrom ? asGet : new Request(`http://localhost${request.url.slice(start)}`, asGet);
}

function found(response: Response | null): Response {
  if (response === null) throw notFound();
  return response;
}
