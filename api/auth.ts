// Signing in and out under /api/auth: a list of paths leads to better-auth, which receives checked requests only, and
// whose answers become responses of the contract.
import { notFound } from "@plinth/domain/access/refusals";
import type { Instance } from "@plinth/domain/context";
import { readSessionCookie } from "@plinth/domain/tokens/session-cookie";
import { addressHeader, createAuth, type Auth } from "@plinth/domain/identity/auth";
import { hasEmailSignIn, rememberBrowser } from "@plinth/domain/identity/email-sign-in";
import type { Flow } from "@plinth/domain/identity/flow";
import { endReplacedSessions } from "@plinth/domain/identity/replaced-session";
import { authBasePath, findAuthRoute } from "@plinth/domain/identity/routes";
import { addressKey, rateLimitHeaders, requireAllowance } from "@plinth/domain/rate-limit";
import type { Elysia } from "elysia";

import { exchanges, type Exchange } from "./auth-exchanges.ts";
import { directRoutes, isDirect } from "./email-sign-in.ts";
import { logFault } from "./log.ts";
import { problemResponse } from "./problem.ts";
import type { MetaOf, RequestMeta } from "./request-meta.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** Adds the routes. The operations below the same path have their own routes, which come first. */
export function addAuth(app: Elysia, instance: Instance, metaOf: MetaOf): void {
  const auth = createAuth(instance, logFault);
  app.all(`${authBasePath}/*`, ({ request }) => serve(instance, auth, request, metaOf(request)), { parse: "none" });
}

async function serve(instance: Instance, auth: Auth, request: Request, meta: RequestMeta): Promise<Response> {
  const { publicUrl } = instance.config;
  const headers: Record<string, string> = { "x-request-id": meta.requestId };
  const finish = (response: Response): Response => {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
  try {
    const allowance = await instance.limiter.take("writes", addressKey(meta.address));
    if (allowance !== null) {
      Object.assign(headers, rateLimitHeaders(allowance));
      requireAllowance(allowance);
    }
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(authBasePath.length);
    const route = findAuthRoute(request.method, path, { byEmail: hasEmailSignIn(instance.config) });
    if (route === null) throw notFound();
    if (route.from === "page") requireSameOrigin(request, publicUrl);
    if (isDirect(route.path)) return finish(await directRoutes[route.path](instance, request, meta));
    const exchange = exchanges[route.path];
    const body = await exchange.read(instance.config, request);
    const flow: Flow = { requestId: meta.requestId, refusal: null, fault: null, userId: null };
    const response = await auth.handle(libraryRequest(request, publicUrl + pathname + search, body, meta), flow);
    if (flow.fault !== null) logFault(flow.fault, meta.requestId);
    if (flow.userId !== null) await endReplacedSessions(instance.db, flow.userId, sessionUntilNow(instance, request));
    const answered = await answer(instance, exchange, response, flow);
    const known = flow.userId === null ? null : await knownBrowserOf(instance, flow.userId, request);
    if (known !== null) answered.headers.append("set-cookie", known);
    return finish(answered);
  } catch (error) {
    return finish(problemResponse(error, meta.requestId, publicUrl));
  }
}

/** However the person signed in: by mail may be the way the next time. */
const knownBrowserOf = async (instance: Instance, userId: string, { headers }: Request): Promise<string | null> =>
  hasEmailSignIn(instance.config) ? rememberBrowser(instance, userId, headers.get("cookie")) : null;

function sessionUntilNow({ config }: Instance, { headers }: Request): string | null {
  const cookie = headers.get("cookie");
  return cookie === null ? null : readSessionCookie(config, cookie);
}

/** Characters of a user agent that are stored with its session. */
const shownOfAgent = 400;

/** The request for better-auth, with only the caller's headers that it needs. */
function libraryRequest(request: Request, url: string, body: object | null, { address }: RequestMeta): Request {
  const headers = new Headers({ [addressHeader]: address, origin: new URL(url).origin });
  for (const name of ["cookie", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, name === "cookie" ? value : value.slice(0, shownOfAgent));
  }
  if (body === null) return new Request(url, { method: request.method, headers });
  headers.set("content-type", "application/json");
  return new Request(url, { method: request.method, headers, body: JSON.stringify(body) });
}

async function answer(instance: Instance, exchange: Exchange, response: Response, flow: Flow): Promise<Response> {
  const answered = await exchange.answer(instance, response, flow);
  for (const cookie of response.headers.getSetCookie()) answered.headers.append("set-cookie", cookie);
  answered.headers.set("cache-control", "no-store");
  answered.headers.set("x-content-type-options", "nosniff");
  return answered;
}
