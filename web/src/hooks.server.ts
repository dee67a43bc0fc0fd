// The server hooks of every page: its language, request id, security headers, and the content of an error.
import type { Handle, HandleServerError } from "@sveltejs/kit/hooks";
import { docsAsText, docsLinks } from "#lib/server/docs/docs-as-text.ts";
import { hasText, pageAsText } from "#lib/server/page-as-text.ts";
import { linksForPrograms, refusalForm, refusalForPrograms } from "#lib/server/for-programs.ts";
import { protectPage, referrerPolicyOf } from "#lib/server/page-headers.ts";
import { readSiteBy, siteAttribute } from "#lib/shown-site.ts";
import { isFile } from "#lib/server/tagged-file.ts";
import { platformOf } from "#lib/server/platform.ts";
import { isSignedIn, shownViewer } from "#lib/server/viewer.ts";
import type { RequestEvent } from "@sveltejs/kit";
import { dev } from "$app/env";
import { getRequestEvent } from "$app/server";
import { languageOf, readLanguageBy } from "#messages/language.ts";
import { log } from "@plinth/platform/log";
import { framesOf, withoutSecrets } from "@plinth/platform/log-line";
import { requestIdOf } from "@plinth/platform/request-id";

// The one Latin file of each face that a page's first paint needs.
const readingFaces = /(?:geist|newsreader)-latin\./;
const appFaces = /geist-latin\./;

readLanguageBy(() => getRequestEvent().locals.language ?? "en");
readSiteBy(() => getRequestEvent().platform?.site ?? {});

/** Of app.html's own script, which stands ahead of anything else in a page. */
const firstNonce = /<script nonce="([A-Za-z0-9+/=]+)">/;

export const handle: Handle = async ({ event, resolve }) => {
  event.locals.requestId = requestIdOf(event.request.headers);
  event.locals.language = languageOf(event.request.headers);
  if (event.route.id !== null) platformOf(event).matched(patternOf(event.route.id));
  const text = (await docsAsText(event)) ?? (await pageAsText(event));
  if (text !== undefined) return text;
  const isArtifact = event.route.id === "/[owner]/[project]/[slug]";
  const faces = isArtifact ? appFaces : readingFaces;
  let html: string | undefined;
  const resolved = await resolve(event, {
    // Taken from Kit's hands: it would go through every character once more for an ETag that no page keeps.
    transformPageChunk(page) {
      html = page.html
        .replace("%language%", event.locals.language)
        .replace(" %site%", () => siteAttribute(platformOf(event).site));
      // In development Kit compares the page's comments, which hydration needs, with those of the result.
      return dev ? html : "";
    },
    preload: (file) => (file.type === "font" ? faces.test(file.filename) : file.type !== "asset"),
  });
  if (isFile(event.route.id, resolved)) return resolved;
  const refusal = refusedForPrograms(event, resolved);
  if (refusal !== null) return refusal;
  const response = html === undefined ? resolved : pageOf(html, resolved);
  if (hasText(event.route.id) && response.status === 200)
    response.headers.append("link", linksForPrograms(event, platformOf(event).publicUrl));
  const alternate = response.status === 200 ? docsLinks(event) : null;
  if (alternate !== null) response.headers.append("link", alternate);
  const nonce = html === undefined ? undefined : firstNonce.exec(html)?.[1];
  if (hasText(event.route.id)) response.headers.append("vary", "Accept");
  if (html !== undefined || event.isDataRequest) response.headers.append("vary", "Accept-Language");
  response.headers.set("x-request-id", event.locals.requestId);
  for (const line of event.locals.setCookies ?? []) response.headers.append("set-cookie", line);
  return protectPage(response, platformOf(event), { ...kindOf(event), nonce });
};

/** What a program is told in place of the page of an error or of signing in; null for a browser. */
function refusedForPrograms(event: RequestEvent, { status, headers }: Response): Response | null {
  const { request, locals } = event;
  if (event.isDataRequest || (request.method !== "GET" && request.method !== "HEAD")) return null;
  const leadsToSignIn = status === 303 && headers.get("location")?.startsWith("/login") === true;
  const form = refusalForm(request.headers.get("accept") ?? "");
  if (form === null || (status !== 404 && status !== 403 && !leadsToSignIn)) return null;
  // A program that accepts everything may be one that keeps cookies and signs in.
  if (leadsToSignIn && form === "text/plain") return null;
  const code = leadsToSignIn ? "unauthenticated" : status === 403 ? "forbidden" : "not_found";
  return refusalForPrograms(code, form, platformOf(event).publicUrl, locals.requestId);
}

export const handleError: HandleServerError = async ({ kind, error, event }) => {
  const { requestId } = event.locals;
  if (kind === "unknown") {
    const at = error instanceof Error ? framesOf(error) : undefined;
    const said = withoutSecrets(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    // The route, not the address: some addresses are secrets.
    log.write("error", { requestId, route: event.route.id, error: said, at });
  }
  return { requestId, isSignedIn: await isSignedIn(event), ...(await shownViewer(event)) };
};

/** A route as the API writes one: without Kit's groups, and with a colon before what differs. */
const patternOf = (id: string): string =>
  id.replace(/\/\([^)]+\)/g, "").replace(/\[(?:\.{3})?([^\]]+)\]/g, ":$1") || "/";

/** A page as Kit would have answered it. @throws Error where Kit has not taken it for whole: its data holds a promise */
function pageOf(html: string, taken: Response): Response {
  if (!taken.headers.has("etag")) throw new Error("A page is sent whole: await what its load returns.");
  const page = new Response(html, taken);
  page.headers.set("content-length", String(Buffer.byteLength(html)));
  return page;
}

/** Where a text is seen before it is published. */
const draftRoutes: ReadonlySet<string> = new Set([
  "/(app)",
  "/(app)/(own)/workspaces/new/publish",
  "/(app)/(own)/[owner]/[project]/[slug]/edit",
  "/(app)/(own)/dashboard/[workspaceSlug]/publish",
]);

/** Pages with a visitor's own things, or a secret, are never cached. */
const kindOf = ({ route, url }: RequestEvent) => ({
  isOwn: route.id?.includes("/(own)/") ?? false,
  referrerPolicy: referrerPolicyOf(url.pathname),
  leadsToPayment: route.id === "/(app)/(own)/settings/billing",
  showsDrafts: draftRoutes.has(route.id ?? ""),
});
