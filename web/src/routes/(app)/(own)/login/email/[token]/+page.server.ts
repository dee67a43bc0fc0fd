// A mailed sign-in link. Opening it uses nothing up, because mail scanners open links; the form does. Works without script.
import type { Problem } from "@plinth/contract/errors";
import { redirect } from "@sveltejs/kit";
import { homeOf, safeNext } from "#lib/next-path.ts";
import { clientOf, orErrorPage, refuse } from "#lib/server/api.ts";
import { postAuth } from "#lib/server/post-auth.ts";
import { viewerOf } from "#lib/server/viewer.ts";
import type { RequestEvent } from "@sveltejs/kit";
import type { Actions, PageServerLoad } from "./$types";

interface Described {
  readonly email: string;
  readonly username: string | null;
  readonly next: string | null;
}

/** What the link does; null where it is used, expired or unknown. Expects that the instance mails links. */
async function describe(event: RequestEvent<{ token: string }>): Promise<Described | null> {
  const answer = await postAuth(event, "/email-sign-in/describe", { token: event.params.token });
  if (answer.ok) return (await answer.json()) as Described;
  if (answer.status === 400 || answer.status === 404) return null;
  return refuse((await answer.json()) as Problem);
}

export const load: PageServerLoad = async (event) => {
  const [viewer, { emailSignIn = false }] = await orErrorPage(
    Promise.all([viewerOf(event), clientOf(event).call("identity.providers", {})]),
  );
  if (!emailSignIn) refuse({ status: 404, code: "not_found" });
  const described = await describe(event);
  return {
    account: described && { email: described.email, username: described.username },
    current: viewer?.email ?? null,
  };
};

export const actions: Actions = {
  default: async (event) => {
    const described = await describe(event);
    if (described === null) redirect(303, event.url.pathname);
    const answer = await postAuth(event, "/email-sign-in", { token: event.params.token });
    // The page says that the link is used.
    if (answer.status === 404) redirect(303, event.url.pathname);
    if (!answer.ok) return refuse((await answer.json()) as Problem);
    event.locals.setCookies = answer.headers.getSetCookie();
    const next = safeNext(described.next);
    // An invitation has its token in the fragment, which may stand in no query. It needs no username.
    if (next === null || described.username !== null || next.includes("#"))
      redirect(303, next ?? homeOf(described.username));
    redirect(303, `/workspaces/new?${new URLSearchParams({ next })}`);
  },
};
