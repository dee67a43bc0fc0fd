// One's own name and username.
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { requireViewer } from "#lib/server/viewer.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { username, name, email, emailVerified, plan } = await requireViewer(event);
  return { username, name, email, emailVerified, plan, host: new URL(platformOf(event).publicUrl).host };
};

export const actions: Actions = {
  check: (event) =>
    submit(event, "check", async (client, field) => {
      const username = field.text("username");
      await client.call("profile.update", { username }, { dryRun: true });
      return { free: username };
    }),

  rename: (event) =>
    submit(event, "rename", async (client, field) => {
      await client.call("profile.update", { username: field.text("username") });
    }),

  name: (event) =>
    submit(event, "name", async (client, field) => {
      await client.call("profile.update", { name: field.text("name") });
    }),
};
