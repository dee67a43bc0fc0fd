// An artifact's human address answers its source to whoever asks for text rather than a page
// (docs/reference/contract.md §4).
import { ProblemError } from "@plinth/contract/client";
import type { RequestEvent } from "@sveltejs/kit";
import { versionAsked } from "#lib/version-number.ts";
import { clientOf } from "./api.ts";
import { prefersSource } from "./prefers-source.ts";

/** The source, or the API's own refusal of it; undefined where a page is wanted. */
export async function artifactSource(event: RequestEvent): Promise<Response | undefined> {
  const { request, params, route } = event;
  if (route.id !== "/[owner]/[project]/[slug]" || event.isDataRequest) return undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  if (!prefersSource(request.headers.get("accept") ?? "")) return undefined;
  try {
    const { owner = "", project: projectSlug = "", slug = "" } = params;
    return withVaryAccept(await readSource(event, { owner, projectSlug, slug }));
  } catch (cause) {
    if (cause instanceof ProblemError) return withVaryAccept(problem(cause));
    throw cause;
  }
}

async function readSource(
  event: RequestEvent,
  path: { owner: string; projectSlug: string; slug: string },
): Promise<Response> {
  const client = clientOf(event);
  const { artifactId, latestVersion } = await client.call("artifact.getByPath", path);
  // A number that is none goes to the API as it is, to be refused in its own words.
  const version = versionAsked(event.url.searchParams, latestVersion) ?? Number(event.url.searchParams.get("v"));
  const condition = event.request.headers.get("if-none-match");
  const headers: Record<string, string> = condition === null ? {} : { "if-none-match": condition };
  return client.send("version.content", { artifactId, version }, { headers });
}

function problem({ problem, retryAfterSeconds }: ProblemError): Response {
  const headers = new Headers({
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": problem.requestId,
  });
  if (retryAfterSeconds !== null) headers.set("retry-after", String(retryAfterSeconds));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function withVaryAccept(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.append("vary", "Accept");
  return new Response(answer.body, { status: answer.status, headers });
}
