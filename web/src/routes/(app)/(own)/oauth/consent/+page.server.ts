// Letting a client act for one, or not (contract/oauth.ts). The query is signed, and handed back as it came.
import { ProblemError } from "@plinth/contract/client";
import { authorizationErrors } from "@plinth/contract/oauth";
import { refusalOf } from "#lib/form-outcome.ts";
import { clientOf, orErrorPage, signedIn } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { requireViewer } from "#lib/server/viewer.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { searchParams } = event.url;
  const reason = authorizationErrors.find((code) => code === searchParams.get("error"));
  if (reason !== undefined) return { reason };
  const query = askedQuery(event.url);
  // A page that is opened has no Origin; what is asked for it here changes nothing.
  const headers = { origin: platformOf(event).publicUrl };
  const answer = signedIn(event, clientOf(event).call("oauth.describeConsent", { query }, { headers }));
  // A visitor who is not signed in is led to that, with either answer.
  answer.catch(() => undefined);
  const { username, email } = await requireViewer(event);
  // The page says itself why a request can't be answered.
  const asked = await orErrorPage(answer.catch(refusedRequest));
  return "code" in asked ? { problem: asked } : { account: { username, email }, query, asked };
};

function refusedRequest(cause: unknown) {
  if (cause instanceof ProblemError && cause.problem.status < 429) return refusalOf(cause.problem);
  throw cause;
}

/** Without the name of the form's action, which Kit puts before it. */
const askedQuery = ({ search }: URL): string => search.slice(1).replace(/^\/\w+(?:&|$)/, "");

export const actions: Actions = {
  decide: (event) =>
    submit(event, "decide", (client, field) =>
      client.call("oauth.decideConsent", { query: askedQuery(event.url), accept: field.text("accept") === "yes" }),
    ),
};
