// Ends the session and leads back to where one was. A plain form posts here; Kit has checked its origin.
import { redirect } from "@sveltejs/kit";
import { safeNext } from "#lib/next-path.ts";
import { visitorHeaders } from "#lib/server/api.ts";
import { smallFormOf } from "#lib/server/form-size.ts";
import { platformOf } from "#lib/server/platform.ts";
import { signInTexts } from "#messages/sign-in.ts";
import type { RequestHandler } from "./$types";

export const POST: RequestHandler = async (event) => {
  const { api, publicUrl } = platformOf(event);
  // Without a form there is nothing to say where to go next.
  const next = (await smallFormOf(event.request))?.get("next") ?? null;
  const answer = await api(
    new Request(`${publicUrl}/api/auth/sign-out`, {
      method: "POST",
      headers: { ...visitorHeaders(event), "content-type": "application/json" },
      body: "{}",
    }),
  );
  if (!answer.ok) {
    // Still signed in, and the page must say so.
    return new Response(signInTexts().signOutFailed({ requestId: event.locals.requestId }), { status: 503 });
  }
  const location = (typeof next === "string" ? safeNext(next) : null) ?? "/";
  const headers = new Headers({ location });
  for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
};

/** Opening the URL by hand does not sign out: a GET changes nothing. */
export const GET: RequestHandler = () => redirect(303, "/login");
