// The API on behalf of the visitor: whose cookie goes along, and how a refusal becomes an error page.
import { ProblemError, createClient, type Client } from "@plinth/contract/client";
import type { Problem } from "@plinth/contract/errors";
import { error, type RequestEvent } from "@sveltejs/kit";
import { forwardedFor } from "../../../forwarded-for.ts";
import { platformOf } from "./platform.ts";

/** A client that calls as the visitor does: by cookie alone, never with an authorization header. */
export function clientOf(event: RequestEvent): Client {
  const { api, publicUrl } = platformOf(event);
  const given = event.request.headers;
  const headers: Record<string, string> = {
    "x-request-id": event.locals.requestId,
    "x-forwarded-for": forwardedFor(given, event.getClientAddress()),
  };
  for (const name of ["cookie", "accept-language"]) {
    const value = given.get(name);
    if (value !== null) headers[name] = value;
  }
  return createClient({ baseUrl: publicUrl, fetch: api, headers });
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

function refuse({ status, code }: Problem): never {
  if (code === "version_expired") error(404, "This version is past its retention", { code });
  // A malformed name is a page that isn't there, and why one isn't is nobody's business.
  if (status === 400 || status === 401 || status === 403 || status === 404) error(404, "Not found", { code });
  if (status === 429 || status === 503) error(status, "Try again soon", { code });
  error(500, "The API failed", { code });
}
