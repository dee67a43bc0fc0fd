// The ways to sign in here, why the last attempt failed, and where to go afterwards.
import { ProblemError } from "@plinth/contract/client";
import type { Problem } from "@plinth/contract/errors";
import { signInErrors, type SignInError } from "@plinth/contract/sign-in-errors";
import { redirect } from "@sveltejs/kit";
import { homeOf, safeNext } from "#lib/next-path.ts";
import { clientOf, orErrorPage, refuse } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import { postAuth } from "#lib/server/post-auth.ts";
import { submit } from "#lib/server/submit.ts";
import { viewerOf } from "#lib/server/viewer.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { searchParams } = event.url;
  const next = safeNext(searchParams.get("next"));
  const [viewer, ways] = await orErrorPage(Promise.all([viewerOf(event), signInMethodsOf(event)]));
  if (viewer !== null && searchParams.has("welcome")) redirect(303, homeOf(viewer.username));
  return {
    publicUrl: platformOf(event).publicUrl,
    next,
    reason: reasonOf(searchParams.get("error")),
    providers: ways?.providers ?? null,
    emailSignIn: ways?.emailSignIn ?? false,
    account: viewer === null ? null : { email: viewer.email, goOn: next ?? homeOf(viewer.username) },
  };
};

export const actions: Actions = {
  /** Requests a mail with a link, which is the same for every address. */
  email: async (event) => {
    const { emailSignIn = false } = await orErrorPage(clientOf(event).call("identity.providers", {}));
    if (!emailSignIn) refuse({ status: 404, code: "not_found" });
    return submit(event, "email", async (_client, field) => {
      const email = field.text("email");
      const next = safeNext(field.text("next"));
      const answer = await postAuth(event, "/email-sign-in/request", { email, ...(next !== null && { next }) });
      if (!answer.ok) throw new ProblemError((await answer.json()) as Problem);
      return { email };
    });
  },
};

/** Null where the instance can't say just now; a sign-in link works all the same. */
async function signInMethodsOf(event: Parameters<PageServerLoad>[0]) {
  try {
    return await clientOf(event).call("identity.providers", {});
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.status === 503) return null;
    throw cause;
  }
}

function reasonOf(code: string | null): SignInError | null {
  if (code === null) return null;
  return signInErrors.find((known) => known === code) ?? "failed";
}
