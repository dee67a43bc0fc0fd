// `/mcp`: the Model Context Protocol over Streamable HTTP, without sessions. One address serves the revision of 2026 and
// those before it; here is only what HTTP has to do with it: who may ask, by what method, and with which credential.
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import { findTool } from "@plinth/contract/mcp/tools";
import { unauthenticated } from "@plinth/domain/access/refusals";
import type { Instance } from "@plinth/domain/context";
import { asAppError } from "@plinth/domain/failure";
import { rateLimitHeaders } from "@plinth/domain/rate-limit";
import type { Elysia } from "elysia";

import { readBody } from "../body.ts";
import { problemResponse } from "../problem.ts";
import type { MetaOf, RequestMeta } from "../request-meta.ts";
import { presentedBy } from "../rest.ts";
import { createCallerCheck } from "./callers.ts";
import { challengeFor } from "./challenge.ts";
import { perform, type Exchange } from "./exchange.ts";
import { claimsRevision, clientOf, messagesIn, programOf, revisionOf, toolOf } from "./messages.ts";
import { serverOf } from "./server.ts";

/** Adds the route, for every method: those that are not served are refused as the protocol says. */
export function addMcp(app: Elysia, instance: Instance, metaOf: MetaOf): void {
  const { publicUrl } = instance.config;
  const callers = createCallerCheck(instance.config);
  const speak = createSpeaker(instance);
  app.all(
    "/mcp",
    async ({ request }) => {
      const meta = metaOf(request);
      const finish = (response: Response) => finished(response, meta, callers.cors(request));
      try {
        callers.require(request);
        if (meta.method === "OPTIONS") return finish(new Response(null, { status: 204, headers: preflight }));
        if (meta.method !== "POST") return finish(notServed());
        return finish(await speak(request, meta));
      } catch (error) {
        const refusal = asAppError(error);
        const response = problemResponse(refusal, meta.requestId, publicUrl);
        if (refusal instanceof AppError && refusal.status === 401) challenge(response.headers, refusal, [], publicUrl);
        return finish(response);
      }
    },
    { parse: "none" },
  );
}

const preflight = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, MCP-Session-Id, " +
    "Mcp-Method, Mcp-Name, X-Request-Id, X-Share-Token",
  "access-control-max-age": "86400",
};

/** There is no stream to open and no session to end: each request stands for itself. */
const notServed = (): Response =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_000, message: "Method not allowed: POST each message" }, id: null },
    { status: 405, headers: { allow: "POST, OPTIONS" } },
  );

const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });

type Speak = (request: Request, meta: RequestMeta) => Promise<Response>;

function createSpeaker(instance: Instance): Speak {
  const { config } = instance;
  const exchanges = new WeakMap<Request, Exchange>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo);
      if (exchange === undefined) throw new Error("an exchange was expected");
      return serverOf(exchange);
    },
    { legacy: "reject", responseMode: "auto", maxSubscriptions: 64 },
  );

  return async (request, meta) => {
    const presented = bearerOf(instance, request);
    if (!isJsonContentType(request.headers.get("content-type")))
      return rpcError(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
    const read = await readBody(request, config.maxContentBytes);
    if (read instanceof AppError)
      return read.status === 413
        ? rpcError(413, -32_000, read.message)
        : rpcError(400, -32_700, `Parse error: ${read.message}`);
    const messages = messagesIn(read.body);
    const limits: Record<string, string> = {};
    const client = clientOf(messages, request.headers);
    const exchange: Exchange = {
      instance,
      call: {
        ...presented,
        surface: "mcp",
        requestId: meta.requestId,
        address: meta.address,
        ...(client !== undefined && { client }),
        onAllowance: (allowance) => Object.assign(limits, rateLimitHeaders(allowance)),
      },
      revision: revisionOf(messages, request.headers),
      program: programOf(messages),
      idempotencyKey: request.headers.get("idempotency-key"),
      refusals: [],
    };
    const toolNames = messages.map(toolOf);
    // A tool asks who is calling by itself; whatever else is asked is answered to nobody unknown either.
    if (toolNames.length === 0 || toolNames.some((name) => name === null || findTool(name) === undefined))
      await perform(exchange, "profile.get", { input: {}, errors: [] });
    exchanges.set(request, exchange);
    const isLegacy = !claimsRevision(read.body) && (await isLegacyRequest(request, read.body));
    const response = isLegacy
      ? await speakLegacy(exchange, request, read.body)
      : await modern.fetch(request, { parsedBody: read.body });
    for (const [name, value] of Object.entries(limits)) response.headers.set(name, value);
    const [refusal] = exchange.refusals;
    if (refusal === undefined) return response;
    const named = toolNames.filter((name) => name !== null);
    return challenged(response, refusal, named, config.publicUrl);
  };
}

/** Clients of before 2026 take one JSON answer as well as a stream; HTTP can say more beside it. */
async function speakLegacy(exchange: Exchange, request: Request, parsedBody: unknown): Promise<Response> {
  const server = serverOf(exchange);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/** A cookie is nobody's here: a page could make a browser send it. @throws unauthenticated */
function bearerOf(instance: Instance, request: Request) {
  if (!request.headers.has("authorization")) throw unauthenticated("MCP takes a bearer token");
  return presentedBy(instance.config, request);
}

function challenged(response: Response, refusal: AppError, toolNames: readonly string[], publicUrl: string): Response {
  const headers = new Headers(response.headers);
  return new Response(response.body, { status: challenge(headers, refusal, toolNames, publicUrl), headers });
}

/** Adds the header; gives the status that goes with it. */
function challenge(headers: Headers, refusal: AppError, toolNames: readonly string[], publicUrl: string): number {
  const { status, header } = challengeFor(refusal, toolNames, publicUrl);
  headers.set("www-authenticate", header);
  return status;
}

function finished(response: Response, { requestId }: RequestMeta, cors: Record<string, string>): Response {
  for (const [name, value] of Object.entries(cors)) response.headers.set(name, value);
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("x-request-id", requestId);
  return response;
}
