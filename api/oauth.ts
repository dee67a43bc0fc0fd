// The authorization server's routes: metadata, the authorization endpoint for browsers, and the endpoints that clients
// call directly, which read no cookie and are therefore open to every origin (docs/reference/contract.md §2, "CORS").
import { AppError } from "@plinth/contract/errors";
import { oauthPages, oauthPaths, tokenExchange } from "@plinth/contract/oauth";
import type { Instance } from "@plinth/domain/context";
import { readSessionCookie } from "@plinth/domain/tokens/session-cookie";
import { asAppError } from "@plinth/domain/failure";
import { isStorable } from "@plinth/domain/input";
import { exchangeIdToken } from "@plinth/domain/credentials/exchange-id-token";
import { ExchangeRefusal } from "@plinth/domain/credentials/exchange-refusal";
import { authorize } from "@plinth/domain/identity/oauth/authorize";
import { register, revoke, startDevice, type FormRequest } from "@plinth/domain/identity/oauth/endpoints";
import { resourceMetadata, serverMetadata } from "@plinth/domain/identity/oauth/metadata";
import { OAuthRefusal } from "@plinth/domain/identity/oauth/refusal";
import { mcpResource } from "@plinth/domain/identity/oauth/clients";
import { exchange } from "@plinth/domain/identity/oauth/token-endpoint";
import { addressKey, requireAllowance, type Budget } from "@plinth/domain/rate-limit";
import { log } from "@plinth/platform/log";
import type { Elysia } from "elysia";

import { readBody, readForm, small } from "./body.ts";
import { logFault } from "./log.ts";
import { retryAfterOf } from "./problem.ts";
import type { MetaOf, RequestMeta } from "./request-meta.ts";

/** The largest form or registration, in bytes. */
const bodyBytes = 16 * 1024;

const openToAll = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, Retry-After",
  "x-content-type-options": "nosniff",
};

type Answer = (request: Request, meta: RequestMeta) => Promise<Response>;

/** Adds the routes. They precede all other routes under /api/auth. */
export function addOAuth(app: Elysia, instance: Instance, metaOf: MetaOf): void {
  const { publicUrl } = instance.config;
  const documents: readonly (readonly [string, object])[] = [
    [oauthPaths.metadata, serverMetadata(publicUrl)],
    [oauthPaths.resourceMetadata, resourceMetadata(publicUrl, publicUrl)],
    [`${oauthPaths.resourceMetadata}/mcp`, resourceMetadata(publicUrl, mcpResource(publicUrl))],
  ];
  for (const [path, document] of documents) {
    const body = JSON.stringify(document);
    app.get(path, () => new Response(body, { headers: documentHeaders })).options(path, preflight);
  }
  app.get(oauthPaths.authorize, ({ request }) => sendOn(instance, request, metaOf(request)));
  const endpoints: Readonly<Record<"token" | "revoke" | "register" | "device", Answer>> = {
    token: async (request, { requestId }) => {
      const asked = await formOf(request);
      return asked.form.get("grant_type") === tokenExchange.grant
        ? exchangeIdToken(instance, asked.form, requestId)
        : exchange(instance, asked, requestId);
    },
    revoke: async (request) => revoke(instance, await formOf(request)),
    device: async (request) => startDevice(instance, await formOf(request)),
    register: async (request, { address }) => register(instance, await registrationOf(request), address),
  };
  for (const [name, answer] of Object.entries(endpoints)) {
    const path = oauthPaths[name as keyof typeof endpoints];
    app
      .post(path, ({ request }) => answered(instance, answer, request, metaOf(request)), { parse: "none" })
      .options(path, preflight);
  }
}

const documentHeaders = { ...openToAll, "content-type": "application/json", "cache-control": "public, max-age=300" };

const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...openToAll,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "Authorization, Content-Type, MCP-Protocol-Version",
      "access-control-max-age": "86400",
    },
  });

/** A person gets a page for a failure. */
async function sendOn(instance: Instance, request: Request, { requestId, address }: RequestMeta): Promise<Response> {
  const { config } = instance;
  const cookie = request.headers.get("cookie");
  const session = cookie === null ? null : readSessionCookie(config, cookie);
  let location: string;
  try {
    await count(instance, "reads", address);
    location = await authorize(instance, new URL(request.url).search, session);
  } catch (error) {
    const refusal = asAppError(error);
    if (!(refusal instanceof AppError)) throw error;
    const code = refusal.code === "rate_limited" ? "rate_limited" : "invalid_request";
    if (refusal.status >= 500) throw refusal;
    location = `${config.publicUrl}${oauthPages.consent}?error=${code}`;
  }
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", "x-request-id": requestId },
  });
}

async function answered(instance: Instance, answer: Answer, request: Request, meta: RequestMeta): Promise<Response> {
  const response = await answerOf(instance, answer, request, meta);
  const headers = new Headers({ ...openToAll, "cache-control": "no-store", pragma: "no-cache" });
  for (const name of ["content-type", "www-authenticate", "retry-after"]) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set("x-request-id", meta.requestId);
  return new Response(response.body, { status: response.status, headers });
}

async function answerOf(instance: Instance, answer: Answer, request: Request, meta: RequestMeta): Promise<Response> {
  try {
    await count(instance, "writes", meta.address);
    return await answer(request, meta);
  } catch (error) {
    const isRefusal = error instanceof OAuthRefusal || error instanceof ExchangeRefusal;
    if (error instanceof ExchangeRefusal && error.unproven !== null)
      log.write("warn", { requestId: meta.requestId, idToken: "refused", ...error.unproven });
    if (isRefusal) return refused(error.status, error.error, error.message);
    const known = asAppError(error);
    if (!(known instanceof AppError)) {
      logFault(error, meta.requestId);
      return refused(500, "server_error", "The fault is ours, and it has been written down");
    }
    if (known.status >= 500) logFault(known.cause ?? known, meta.requestId);
    const retry = retryAfterOf(known);
    const headers = retry === null ? {} : { "retry-after": String(retry) };
    const code = known.status >= 500 || known.status === 429 ? "temporarily_unavailable" : "invalid_request";
    const detail = known.extra.errors?.map(({ path, message }) => `${path || "the body"} ${message}`).join("; ");
    return refused(known.status, code, detail ?? known.message, headers);
  }
}

const refused = (status: number, error: string, description: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error, error_description: description }, { status, headers });

async function count({ limiter }: Instance, budget: Budget, address: string): Promise<void> {
  const allowance = await limiter.take(budget, addressKey(address));
  if (allowance !== null) requireAllowance(allowance);
}

/** @throws AppError, OAuthRefusal */
async function formOf(request: Request): Promise<FormRequest> {
  const form = await readForm(request, small(bodyBytes));
  if (form instanceof AppError) throw form;
  const names = [...form.keys()];
  const twice = names.find((name, at) => name !== "resource" && names.indexOf(name) !== at);
  if (twice !== undefined) throw new OAuthRefusal("invalid_request", `${twice} is given more than once`);
  const authorization = request.headers.get("authorization");
  const client = authorization === null ? "" : basicText(authorization);
  if (![...form].flat().every(isStorable) || !isStorable(client))
    throw new OAuthRefusal("invalid_request", "what is sent must be well-formed Unicode without NUL");
  return { form, authorization };
}

/** The text of a Basic header, as the library decodes it. */
function basicText(authorization: string): string {
  try {
    return decodeURIComponent(atob(/^basic +(\S+)$/i.exec(authorization)?.[1] ?? ""));
  } catch {
    // The library refuses it.
    return "";
  }
}

async function registrationOf(request: Request): Promise<unknown> {
  const read = await readBody(request, small(bodyBytes));
  if (read instanceof AppError) throw read;
  return read.body;
}
