// `/mcp`: the Model Context Protocol over Streamable HTTP, without sessions. One URL serves the 2026 revision and the
// earlier ones. This module has the HTTP part: which callers, methods and credentials are accepted.
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { AppError } from "@plinth/contract/errors";
import { findTool } from "@plinth/contract/mcp/tools";
import { registry } from "@plinth/contract/registry";
import { accountOf, isPerson } from "@plinth/domain/access/principal";
import { unauthenticated } from "@plinth/domain/access/refusals";
import type { Config } from "@plinth/domain/config";
import { contentTooLarge } from "@plinth/domain/storage/size";
import type { Instance } from "@plinth/domain/context";
import type { Call, RequestCredentials } from "@plinth/domain/access/call";
import { noteStepUp } from "@plinth/domain/identity/oauth/connection";
import { rateLimitHeaders } from "@plinth/domain/rate-limit";
import { refuseCredential } from "@plinth/domain/request/credential";
import { identify } from "@plinth/domain/request/identify";
import type { Sender } from "@plinth/domain/request/outcome";
import type { Elysia } from "elysia";

import { contentBodyBytes } from "../body.ts";
import { problemResponse } from "../problem.ts";
import { shownPrincipal, type MetaOf, type RequestMeta } from "../request-meta.ts";
import { presentedBy } from "../rest.ts";
import { readMessage, rpcError } from "./body.ts";
import { createCallerCheck } from "./callers.ts";
import { challengeFor, type Asked } from "./challenge.ts";
import { callerOf, perform, type Exchange } from "./exchange.ts";
import { claimsRevision, agentOf, messagesIn, programOf, revisionOf, toolOf, withArguments } from "./messages.ts";
import { serverOf } from "./server.ts";

/** Adds the route for every method: those that are not served are refused as the protocol requires. */
export function addMcp(app: Elysia, instance: Instance, metaOf: MetaOf): void {
  const { publicUrl } = instance.config;
  const callers = createCallerCheck(instance.config);
  const speak = createSpeaker(instance);
  app.all(
    "/mcp",
    async ({ request }) => {
      const meta = metaOf(request);
      meta.learned.surface = "mcp";
      const senders: Sender[] = [];
      const finish = (response: Response) => {
        const caller = callerOf({ senders });
        if (caller !== null) meta.learned.principal = shownPrincipal(caller);
        return finished(response, meta, { ...callers.cors(request), ...rateHeaders(senders) });
      };
      try {
        callers.require(request);
        if (meta.method === "OPTIONS") return finish(new Response(null, { status: 204, headers: preflight }));
        if (meta.method !== "POST") return finish(notServed());
        return finish(await speak(request, meta, senders));
      } catch (error) {
        const response = problemResponse(error, meta.requestId, publicUrl);
        const asked = { hasCredential: request.headers.has("authorization"), toolNames: [] };
        if (response.status === 401) challenge(response.headers, error as AppError, asked, publicUrl);
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

/** There is no stream to open and no session to end: each request is independent. */
function notServed(): Response {
  const response = rpcError(405, -32_000, "Method not allowed: POST each message");
  response.headers.set("allow", "POST, OPTIONS");
  return response;
}

/** Adds to `senders` what each check finds out, for any outcome of the request. */
type Speak = (request: Request, meta: RequestMeta, senders: Sender[]) => Promise<Response>;

/** The headers of the rate limit that was counted last. */
function rateHeaders(senders: readonly Sender[]): Record<string, string> {
  const allowance = senders.findLast((sender) => sender.allowance !== null)?.allowance ?? null;
  return allowance === null ? {} : rateLimitHeaders(allowance);
}

/** The operation whose checks a bearer token must pass before a message is read. */
const whoAsks = registry["profile.get"];

/** The exchange knows the caller; the library receives nothing of the token. */
const unread = { token: "", clientId: "", scopes: [] };

function createSpeaker(instance: Instance): Speak {
  const { config } = instance;
  const modern = createMcpHandler(({ authInfo }) => serverOf(authInfo?.extra?.["exchange"] as Exchange), {
    legacy: "reject",
    responseMode: "auto",
  });

  return async (request, meta, senders) => {
    const sender: Call = {
      ...bearerOf(config, request),
      surface: "mcp",
      requestId: meta.requestId,
      address: meta.address,
    };
    // No body is read for a request without a credential.
    const refused = await refuseCredential(instance, sender, whoAsks);
    if (refused !== null) {
      senders.push(refused);
      throw refused.error;
    }
    const read = await readMessage(request, {
      limitBytes: contentBodyBytes(config.maxContentBytes),
      tooLarge: contentTooLarge(config.maxContentBytes),
      // The tool is not known yet, so this counts as a separate read.
      identify: async () => {
        const identified = await identify(instance, sender, whoAsks, null);
        senders.push(identified);
        if ("error" in identified) throw identified.error;
        return accountOf(identified.caller);
      },
      keep: meta.atEnd,
    });
    if (read instanceof Response) return read;
    withArguments(read.json);
    const messages = messagesIn(read.json);
    const program = programOf(messages);
    const client = program ?? agentOf(request.headers);
    const called = messages.map(toolOf);
    const exchange: Exchange = {
      instance,
      call: { ...sender, ...(client !== undefined && { client }) },
      revision: revisionOf(messages, request.headers),
      program,
      idempotencyKey: request.headers.get("idempotency-key"),
      onlyCalls: called.length > 0 && called.every((name) => name !== null),
      refusals: [],
      calls: [],
      senders,
      learned: meta.learned,
      packed: read.packed,
    };
    // A tool call identifies its caller itself; all other messages require a known caller too.
    if (!exchange.onlyCalls || called.some((name) => findTool(name ?? "") === undefined))
      await perform(exchange, "profile.get", { input: {}, errors: [] });
    const isLegacy = !claimsRevision(read.json) && (await isLegacyRequest(request, read.json));
    const answering = isLegacy
      ? speakLegacy(exchange, request, read.json)
      : modern.fetch(request, { parsedBody: read.json, authInfo: { ...unread, extra: { exchange } } });
    const response = await settled(answering, exchange);
    const [refusal] = exchange.refusals;
    if (refusal === undefined) return response;
    if (refusal.code === "rate_limited") throw refusal;
    const toolNames = called.filter((name) => name !== null);
    const caller = callerOf(exchange);
    const held = caller !== null && isPerson(caller) ? (caller.scopes ?? []) : [];
    if (refusal.code === "insufficient_scope" && caller !== null && isPerson(caller))
      await noteStepUp(instance.db, caller.credentialId);
    return challenged(response, refusal, { hasCredential: true, toolNames, held }, config.publicUrl);
  };
}

/**
 * The response after all calls, which hold the text of the body: its memory is released after them. A stream is returned
 * at once, because it tells how far a call is; the calls that do have short texts.
 */
async function settled(answering: Promise<Response>, { calls }: Exchange): Promise<Response> {
  try {
    const response = await answering;
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) return response;
    await Promise.allSettled(calls);
    return response;
  } catch (error) {
    await Promise.allSettled(calls);
    throw error;
  }
}

/**
 * The earlier revisions ask clients to accept a JSON response as well as a stream, and many accept one of them. A JSON
 * response can also have a status and headers, so that a stream is answered only where it is accepted alone.
 */
async function speakLegacy(exchange: Exchange, request: Request, parsedBody: unknown): Promise<Response> {
  const server = serverOf(exchange);
  const accepted = request.headers.get("accept");
  const takesJson = accepted === null || /application\/(?:json|\*)|\*\/\*/i.test(accepted);
  const takesStream = accepted !== null && /text\/event-stream/i.test(accepted);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const asked = accepted !== both && (takesJson || takesStream) ? withAccept(request, both) : request;
    const response = await transport.handleRequest(asked, { parsedBody });
    return takesJson || response.status !== 200 ? response : await streamOf(response);
  } finally {
    await server.close();
  }
}

/** The types that the library asks for, as its own clients send them. */
const both = "application/json, text/event-stream";

function withAccept({ url, headers: sent, signal }: Request, accept: string): Request {
  const headers = new Headers(sent);
  headers.set("accept", accept);
  return new Request(url, { method: "POST", headers, signal });
}

/** The messages of a JSON response as events. */
async function streamOf(response: Response): Promise<Response> {
  const messages = [await response.json()].flat();
  const events = messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`);
  return new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });
}

/** Cookies are not read: a page could make a browser send one. @throws unauthenticated */
function bearerOf(config: Config, request: Request): RequestCredentials {
  if (!request.headers.has("authorization")) throw unauthenticated("MCP takes a bearer token");
  const { credential, ...presented } = presentedBy(config, request);
  return { ...presented, credential: credential.kind === "oauth" ? { ...credential, at: "mcp" } : credential };
}

function challenged(response: Response, refusal: AppError, asked: Asked, publicUrl: string): Response {
  const headers = new Headers(response.headers);
  return new Response(response.body, { status: challenge(headers, refusal, asked, publicUrl), headers });
}

/** Adds the header; returns the matching status. */
function challenge(headers: Headers, refusal: AppError, asked: Asked, publicUrl: string): number {
  const { status, header } = challengeFor(refusal, asked, publicUrl);
  headers.set("www-authenticate", header);
  return status;
}

function finished(response: Response, { requestId }: RequestMeta, added: Record<string, string>): Response {
  for (const [name, value] of Object.entries(added)) response.headers.set(name, value);
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("x-request-id", requestId);
  return response;
}
