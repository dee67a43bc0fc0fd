// The API on behalf of the visitor: whose cookie goes along, and how a refusal becomes an error page.
import { ProblemError, createClient, type Client } from "@plinth/contract/client";
import type { Problem } from "@plinth/contract/errors";
import type { Operation } from "@plinth/contract/operation";
import { registry, type OperationName } from "@plinth/contract/registry";
import { error, redirect, type RequestEvent } from "@sveltejs/kit";
import { loginAddress } from "#lib/next-path.ts";
import { visitorHeaders as headersFor } from "../../../visitor-headers.ts";
import { platformOf } from "./platform.ts";

/** The headers of a call made as the visitor does. */
export const visitorHeaders = (event: RequestEvent): Record<string, string> =>
  headersFor(event.request.headers, event.locals.requestId, event.getClientAddress());

/** The headers of the request without its cookies. */
export function strangerHeaders({ request }: RequestEvent): Headers {
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  return headers;
}

/** A client that calls without any credential, also for a visitor who is signed in. */
export const strangerClientOf = (event: RequestEvent): Client =>
  clientOf(event, headersFor(strangerHeaders(event), event.locals.requestId, event.getClientAddress()));

/** A client that calls as the visitor does. Kit has refused forms of another origin before it is used to write. */
export function clientOf(event: RequestEvent, headers = visitorHeaders(event)): Client {
  const { api, read, publicUrl } = platformOf(event);
  const client = createClient({ baseUrl: publicUrl, fetch: api, headers });
  if (read === undefined) return client;
  return {
    ...client,
    async call(name, input, call) {
      if (!isRead(name)) return client.call(name, input, call);
      const answer = await read(name, input, new Headers({ ...headers, ...call?.headers }));
      if ("problem" in answer) throw new ProblemError(answer.problem, answer.retryAfterSeconds);
      return answer.value;
    },
  };
}

/** The operations that are asked by GET and answered in JSON. */
function isRead(name: OperationName): boolean {
  const { method, media }: Operation = registry[name];
  return method === "GET" && media === undefined;
}

/** Awaits what a page is made of; a refusal ends in the error page that fits. */
export async function orErrorPage<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof ProblemError) refuse(cause.problem);
    throw cause;
  }
}

/** As `orErrorPage`, for signed-in pages: a session that has ended leads to signing in. */
export async function orSignIn<Result>(event: RequestEvent, answer: Promise<Result>): Promise<Result> {
  return orErrorPage(signedIn(event, answer));
}

/** Awaits an answer for which one must be signed in. @throws ProblemError any other refusal */
export async function signedIn<Result>(event: RequestEvent, answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.status === 401) redirect(303, loginAddress(event.url));
    throw cause;
  }
}

/** Ends in the error page that fits. */
export function refuse({ status, code }: Pick<Problem, "status" | "code">): never {
  if (code === "version_expired") error(404, "This version has expired", { code });
  // A malformed name is a page that isn't there, and the page does not say why.
  if (status === 400 || status === 401 || status === 403 || status === 404) error(404, "Not found", { code });
  if (status === 429 || status === 503) error(status, "Try again soon", { code });
  error(500, "The API failed", { code });
}
