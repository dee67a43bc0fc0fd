// `plinth logout`: ends the login on the server where it can be reached, and forgets it here in any case
// (docs/reference/experience.md §2, "Logout").
import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { revokeLogin } from "../login/revoke-login.ts";
import type { Result } from "../output/print.ts";
import { boolean, exactly, text, yes } from "../output/schemas.ts";
import { credentialsFile, forgetLogin, savedLogin, type SavedLogin } from "../session/credentials-file.ts";

export const logoutCommand: Command = {
  path: "logout",
  summary: "End the saved login of this address, and forget it",
  description: "An API key or token that you saved yourself is forgotten here, and stays valid elsewhere.",
  flags: { json: jsonFormat },
  stdin: null,
  ...local,
  idempotent: true,
  output: {
    anyOf: [
      exactly({ origin: text, forgotten: boolean, revoked: boolean, credentialsFile: text }),
      exactly({ dryRun: yes, origin: text, forget: boolean, revoke: boolean }),
    ],
  },
  previews: true,
  textOutput: "a sentence",
  examples: ["plinth logout", "plinth logout --base-url https://plinth.example.com"],
  run: logout,
};

async function logout(context: Context): Promise<Result> {
  const { settings, io } = context;
  const { baseUrl: origin } = settings;
  const file = credentialsFile(io.env);
  const saved = await savedLogin(io.env, origin, () => {});
  if (settings.dryRun)
    return { value: { dryRun: true, origin, forget: saved !== null, revoke: saved?.issued ?? false } };
  const revoked = saved !== null && (await revoke(context, saved));
  if (saved !== null) await forgetLogin(io.env, origin);
  if (io.env["SERVICE_TOKEN"]) context.progress("SERVICE_TOKEN is still set");
  return {
    value: { origin, forgotten: saved !== null, revoked, credentialsFile: file },
    text: () => (saved === null ? `No login is saved for ${origin}` : farewell(origin, saved, revoked)),
  };
}

/** Whether the token is known to have ended. */
async function revoke(context: Context, { token, issued }: SavedLogin): Promise<boolean> {
  if (!issued) return false;
  const ended = await revokeLogin(context, token);
  if (typeof ended === "string") return true;
  const page = new URL("/settings/agents", context.settings.webUrl).href;
  context.progress(`The login could not be ended on the server (${ended.why}); revoke it at ${page}`);
  return false;
}

function farewell(origin: string, { issued, label }: SavedLogin, revoked: boolean): string {
  if (revoked) return `Signed out of ${origin}`;
  return issued
    ? `The login of ${origin} is forgotten here`
    : `The token of ${origin} (${label}) is forgotten here; it was not made by login, and goes on working`;
}
