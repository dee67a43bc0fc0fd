// `plinth login`: a token for this origin, by browser, by code or brought along, checked before it is kept
// (docs/reference/experience.md §2, "Login"; docs/reference/contract.md §5). The OAuth part is login/, and loaded only
// when it is needed.
import { nameLength } from "@plinth/contract/limits";
import type { Agent, Profile } from "@plinth/contract/schemas/account";

import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { clientFailure } from "../failure/failure.ts";
import { codeOf } from "../failure/system-error.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { loginMethods, chooseLoginMethod } from "../login/method.ts";
import { revokeLogin } from "../login/revoke-login.ts";
import { inDays } from "../output/formatting.ts";
import type { Result } from "../output/print.ts";
import { exactly, text, textOrNull, yes } from "../output/schemas.ts";
import { credentialsFile, saveLogin, savedLogin } from "../session/credentials-file.ts";
import { checkCredential } from "../session/credentials.ts";
import { changeUserConfig, userConfigPath } from "../session/user-config.ts";
import { oneLine } from "../terminal/style.ts";

const flags = {
  device: { type: "boolean", description: "Show a code to enter in a browser anywhere (by itself over SSH)" },
  name: { type: "string", valueHint: "text", description: "What the login is called (this machine's name)" },
  json: jsonFormat,
} as const satisfies Flags;

export const loginCommand: Command = {
  path: "login",
  summary: "Sign in and keep the login for this address",
  description:
    "Opens the browser, and makes a login of 90 days that is named after this machine. With --token-stdin it keeps\n" +
    "a key or token of yours instead. One login is kept for each address, in a file that only you can read.\n" +
    "An address given with --base-url is kept in config.json beside it, and later commands use it.",
  flags,
  stdin: "a key or token (--token-stdin)",
  ...local,
  idempotent: false,
  output: {
    anyOf: [
      exactly({
        origin: text,
        username: textOrNull,
        label: text,
        scopes: { type: "array", items: text },
        expiresAt: textOrNull,
        credentialsFile: text,
      }),
      exactly({ dryRun: yes, means: { enum: loginMethods }, origin: text, credentialsFile: text }),
    ],
  },
  previews: true,
  errors: ["unauthenticated", "forbidden", "insufficient_scope", "rate_limited", "unavailable", "input_needed"],
  textOutput: "a sentence",
  examples: [
    "plinth login",
    "plinth login --device",
    "plinth login --token-stdin --base-url https://plinth.example.com",
  ],
  run: login,
};

interface NewLogin {
  readonly token: string;
  readonly profile: Profile;
  /** What the server made for this; null where the person brought the token. */
  readonly agent: Agent | null;
}

async function login(context: Context, { flags: given }: Values): Promise<Result> {
  const { settings, io } = context;
  const { baseUrl: origin } = settings;
  const means = chooseLoginMethod(context, given);
  const file = credentialsFile(io.env);
  if (settings.dryRun) return { value: { dryRun: true, means, origin, credentialsFile: file } };
  const before = await savedLogin(io.env, origin, () => {});
  const keep = async (made: NewLogin): Promise<NewLogin> => {
    await save(context, made);
    if (before?.issued) await revokeLogin(context, before.token);
    return made;
  };
  const name = nameOf(given["name"] ?? io.hostName);
  const exchange = async (accessToken: string) => keep(await exchangeToken(context, accessToken, name));
  const { profile, agent } =
    means === "token-stdin"
      ? await keep(await checkToken(context))
      : means === "device"
        ? await (await import("../login/by-device.ts")).signInByDevice(context, exchange)
        : await (await import("../login/by-browser.ts")).signInByBrowser(context, exchange);
  await rememberBaseUrl(context);
  if (io.env["SERVICE_TOKEN"]) context.progress("SERVICE_TOKEN is set and goes before this login");
  const value = {
    origin,
    username: profile.username,
    label: profile.credential.label,
    scopes: profile.credential.scopes,
    expiresAt: agent?.expiresAt ?? null,
    credentialsFile: file,
  };
  const until = agent?.expiresAt ? `; the login ends ${inDays(agent.expiresAt)}` : "";
  return { value, text: () => `Signed in to ${origin} as ${oneLine(profile.username ?? profile.email)}${until}` };
}

/** The name as the server takes it. */
function nameOf(given: unknown): string {
  const name = oneLine(String(given)).slice(0, nameLength).trim();
  return name === "" ? "command line" : name;
}

async function checkToken(context: Context): Promise<NewLogin> {
  const { token } = checkCredential(await context.reader.line(), "--token-stdin");
  return { token, profile: await context.withToken(token).call("profile.get", {}), agent: null };
}

/** The short token is spent on a login token, and that is tried. */
async function exchangeToken(context: Context, accessToken: string, name: string): Promise<NewLogin> {
  const agent = await context.withToken(accessToken).call("agent.exchangeLogin", { name });
  const { token } = agent;
  if (token === undefined)
    throw clientFailure("unavailable", "The login was made, but its token was lost on the way", {
      hint: "Sign in again; the lost login can be revoked (plinth agent list)",
      next: "plinth login",
    });
  return { token, profile: await context.withToken(token).call("profile.get", {}), agent };
}

/** A login that cannot be saved is revoked, because it could never be used. */
async function save(context: Context, { token, profile, agent }: NewLogin): Promise<void> {
  const { settings, io } = context;
  try {
    await saveLogin(io.env, settings.baseUrl, {
      token,
      label: profile.credential.label,
      username: profile.username,
      since: new Date().toISOString(),
      expiresAt: agent?.expiresAt ?? null,
      issued: agent !== null,
    });
  } catch (error) {
    if (agent !== null) await revokeLogin(context, token);
    throw error;
  }
}

/** Says where it is kept; a file that cannot be written fails no login. The directory is there: the login is in it. */
async function rememberBaseUrl({ settings, config, io, progress }: Context): Promise<void> {
  const { baseUrl, webUrl, sources } = settings;
  if (sources.baseUrl !== "--base-url" || config?.members.baseUrl === baseUrl) return;
  const path = userConfigPath(io.env);
  try {
    // The web address of the instance before is not this one's.
    await changeUserConfig(io.env, ({ baseUrl: _before, webUrl: _its, ...others }) => ({
      baseUrl,
      ...(webUrl !== baseUrl && { webUrl }),
      ...others,
    }));
    progress(`Commands without --base-url use ${baseUrl} from now on (${oneLine(path)})`);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    progress(`${oneLine(path)} cannot be written; give --base-url ${baseUrl} or SERVICE_BASE_URL with each command`);
  }
}
