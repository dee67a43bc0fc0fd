// Responses to programs at the URLs of pages: links to the other forms of a page, and instructions after a refusal. The
// text is the same for a hidden resource and a missing one (docs/reference/security.md §3).
import { linksOf } from "@plinth/contract/guides/instance-links";
import { mcpAddress } from "@plinth/contract/guides/connect";
import { errorCodes, type ErrorCode } from "@plinth/contract/errors";
import type { RequestEvent } from "@sveltejs/kit";
import { prefersSource } from "./prefers-source.ts";

const artifactPage = "/[owner]/[project]/[slug]";

/** The `Link` header of a page that has a form as text (RFC 8288). */
export function linksForPrograms({ route, params, url }: RequestEvent, publicUrl: string): string {
  const { llms, skill, openApi } = linksOf(publicUrl);
  const { owner, project, slug } = params;
  const json = `${publicUrl}/api/by-path/${owner}/${project}${route.id === artifactPage ? `/${slug}` : ""}`;
  return [
    `<${publicUrl}${url.pathname}${url.search}>; rel="alternate"; type="text/markdown"`,
    ...(project === undefined ? [] : [`<${json}>; rel="alternate"; type="application/json"`]),
    `<${llms}>; rel="describedby"; type="text/plain"`,
    `<${openApi}>; rel="service-desc"; type="application/json"`,
    `<${skill}>; rel="help"; type="text/markdown"`,
  ].join(", ");
}

type Form = "text/markdown" | "text/plain" | "application/problem+json";

/** The form of a refusal for a program; null for a browser, which asks for html. */
export function refusalForm(accept: string): Form | null {
  if (prefersSource(accept)) return "text/markdown";
  if (/\b(?:text\/html|application\/xhtml\+xml)\b/i.test(accept)) return null;
  if (/\bapplication\/(?:problem\+)?json\b/i.test(accept)) return "application/problem+json";
  return accept.trim() === "*/*" ? "text/plain" : null;
}

const details = {
  forbidden:
    "The role of the person who is signed in does not include this page. An admin of the workspace can change the role",
  not_found: "There is nothing here, or you may not see it",
  unauthenticated: "This page needs a person who is signed in",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** The refusal of a page in that form. */
export function refusalForPrograms(
  code: keyof typeof details,
  form: Form,
  publicUrl: string,
  requestId: string,
): Response {
  const { status, title } = errorCodes[code];
  const { keys, llms, openApi } = linksOf(publicUrl);
  const detail = details[code];
  const rest = `${publicUrl}/api/by-path/<owner>/<project>/<slug>`;
  const text = `# ${title}

${detail}.

For programs:

- Pages accept no API key. Read by REST, with \`authorization: Bearer <API key>\`: \`GET ${rest}\` is the artifact, and its
  \`contentUrl\` the text. \`GET ${publicUrl}/api/artifacts?q=<words>\` finds what the key can see.
- The token of a share link is sent as \`x-share-token\`.
- A person creates an API key at ${keys}. MCP signs in by OAuth at ${mcpAddress(publicUrl)}.
- How to read and publish: ${llms}. Every route: ${openApi}.
`;
  const hint = `Read by REST with \`authorization: Bearer <API key>\`: GET ${rest}. ${llms} says how programs read and publish`;
  const type = `${publicUrl}/docs/errors/${code}`;
  const isJson = form === "application/problem+json";
  const body = isJson ? JSON.stringify({ type, title, status, detail, code, requestId, hint }) : text;
  return new Response(body, {
    status,
    headers: {
      "content-type": isJson ? form : `${form}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      vary: "Accept",
    },
  });
}
