// An answer that is not a page: a file with an ETag and without script, so it has its own headers.
import type { RequestEvent } from "@sveltejs/kit";

/** The routes that answer with `taggedFile`, whose headers the hooks leave as they are. */
const fileRoutes: ReadonlySet<string> = new Set([
  "/[owner]/[project]/feed.atom",
  "/[owner]/[project]/[slug]/qr.svg",
  "/embed/[owner]/[project]/[slug]",
]);

/** Whether an answer of the route is a file; its refusals and redirects are not. */
export const isFile = (route: string | null, { headers }: Response): boolean =>
  route !== null && fileRoutes.has(route) && headers.has("x-content-type-options");

/** The file, or 304 where the reader has it. A cache asks each time, because access can change. */
export function taggedFile(
  { request, locals }: RequestEvent,
  body: string | Uint8Array<ArrayBuffer>,
  more: Readonly<Record<string, string>>,
): Response {
  const etag = `W/"${new Bun.CryptoHasher("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "cache-control": "private, no-cache",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-request-id": locals.requestId,
    etag,
    ...more,
  };
  const held = request.headers.get("if-none-match")?.split(",") ?? [];
  const isHeld = held.some((tag) => tag.trim() === etag || tag.trim() === "*");
  return isHeld ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
