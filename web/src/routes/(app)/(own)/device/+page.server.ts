// Letting a program on another screen in, by the code it shows (RFC 8628). A code in the address is filled in, never sent.
import { submit } from "#lib/server/submit.ts";
import { requireViewer } from "#lib/server/viewer.ts";
import type { Actions, PageServerLoad } from "./$types";

const longest = 64;

export const load: PageServerLoad = async (event) => {
  const { username, email } = await requireViewer(event);
  return { account: { username, email }, given: event.url.searchParams.get("user_code")?.slice(0, longest) ?? "" };
};

export const actions: Actions = {
  look: (event) =>
    submit(event, "look", (client, field) => client.call("oauth.describeDevice", { userCode: field.text("userCode") })),

  decide: (event) =>
    submit(event, "decide", async (client, field) => {
      const approve = field.text("approve") === "yes";
      await client.call("oauth.decideDevice", { userCode: field.text("userCode"), approve });
      return { approved: approve };
    }),
};
