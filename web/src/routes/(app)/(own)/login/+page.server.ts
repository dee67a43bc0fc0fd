// The ways to sign in here, why the last attempt failed, and where to go afterwards.
import { ProblemError } from "@plinth/contract/client";
import { signInErrors } from "@plinth/contract/sign-in-errors";
import { redirect } from "@sveltejs/kit";
import { homeOf, safeNext } from "#lib/next-path.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import { viewerOf } from "#lib/server/viewer.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { searchParams } = event.url;
  const next = safeNext(searchParams.get("next"));
  const [viewer, providers] = await orErrorPage(Promise.all([viewerOf(event), providersOf(event)]));
  if (viewer !== null && searchParams.has("welcome")) redirect(303, homeOf(viewer.username));
  return {
    publicUrl: platformOf(event).publicUrl,
    next,
    reason: reasonOf(searchParams.get("error")),
    providers,
    account: viewer === null ? null : { email: viewer.email, goOn: next ?? homeOf(viewer.username) },
  };
};

/** Null where the instance can't say just now; a sign-in link works all the same. */
async function providersOf(event: Parameters<PageServerLoad>[0]) {
  try {
    return (await clientOf(event).call("identity.providers", {})).providers;
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.status === 503) return null;
    throw cause;
  }
}

function reasonOf(code: string | null): string | null {
  if (code === null) return null;
  return Object.entries(signInErrors).find(([known]) => known === code)?.[1] ?? signInErrors.failed;
}
