// The choice of a language, which the footer of every page offers too, so that visitors can make it.
import { isOwnPath } from "@plinth/contract/own-path";
import { redirect } from "@sveltejs/kit";
import { smallFormOf } from "#lib/server/form-size.ts";
import { platformOf } from "#lib/server/platform.ts";
import { isLanguage, languageCookie } from "#messages/language.ts";
import type { Actions, RequestEvent } from "./$types";

const year = 365 * 24 * 60 * 60;

export const actions: Actions = {
  async language(event) {
    const language = (await smallFormOf(event.request))?.get("language");
    if (isLanguage(language)) {
      event.cookies.set(languageCookie, language, {
        path: "/",
        httpOnly: true,
        sameSite: "lax",
        secure: platformOf(event).publicUrl.startsWith("https:"),
        maxAge: year,
      });
    }
    redirect(303, cameFrom(event));
  },
};

/** The page that has the form, as the browser names it. */
function cameFrom({ request, url }: RequestEvent): string {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  const path = referrer?.origin === url.origin ? referrer.pathname + referrer.search : "";
  return isOwnPath(path) ? path : "/settings/appearance";
}
