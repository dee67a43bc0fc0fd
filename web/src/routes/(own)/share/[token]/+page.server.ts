// A share link is opened: its token is exchanged for the grant cookie, and leaves the address
// (docs/reference/security.md §1 and §3).
import { error, redirect } from "@sveltejs/kit";
import { visitorHeaders } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import type { PageServerLoad } from "./$types";

const reasons = new Set(["revoked", "expired"]);
/** No header carries any other text, and no token has another character. */
const mayBeToken = /^[0-9A-Za-z_]+$/;

export const load: PageServerLoad = async (event) => {
  const { api, publicUrl } = platformOf(event);
  // Mails and chats take the full stop or bracket after a link for a part of it.
  const token = event.params.token.replace(/[^0-9A-Za-z_]+$/, "");
  if (!mayBeToken.test(token)) error(404, "Not found", { code: "link_unknown" });
  const headers = new Headers(visitorHeaders(event));
  headers.set("x-share-token", token);
  const answer = await api(new Request(`${publicUrl}/api/auth/share-grant`, { method: "POST", headers }));
  const body = (await answer.json().catch(() => ({}))) as { url?: string; reason?: string };
  if (answer.ok && body.url !== undefined) {
    event.locals.setCookies = answer.headers.getSetCookie();
    redirect(303, new URL(body.url, publicUrl).pathname);
  }
  if (answer.status === 429 || answer.status >= 500) error(answer.status === 429 ? 429 : 503, "Try again soon");
  error(404, "Not found", { code: reasons.has(body.reason ?? "") ? `link_${body.reason}` : "link_unknown" });
};
