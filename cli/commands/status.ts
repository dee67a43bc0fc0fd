// `plinth status`: where this client would send and with whose token. Sends nothing, shows no secret.
import { jsonFormat, local, type Command } from "../command/command.ts";
import { formats } from "../flags/global-flags.ts";
import type { Io } from "../io/io.ts";
import { describe } from "../output/describe.ts";
import { exactly, orNull, text, textOrNull } from "../output/schemas.ts";
import { credentialsFile, savedLogin } from "../session/credentials-file.ts";
import { findToken } from "../session/credentials.ts";
import { findProjectFile, projectFileName } from "../session/project-file.ts";
import { findShareToken } from "../session/share-token.ts";
import { userConfigPath } from "../session/user-config.ts";
import { build, version } from "../version.ts";

export const statusCommand: Command = {
  path: "status",
  summary: "Show settings, the login and the tokens in use; sends nothing",
  flags: { json: jsonFormat },
  stdin: null,
  ...local,
  idempotent: true,
  output: exactly({
    version: text,
    build: text,
    baseUrl: text,
    webUrl: text,
    format: { enum: formats },
    sources: exactly({ baseUrl: text, webUrl: text, format: text }),
    configFile: orNull({
      type: "object",
      properties: { path: text, baseUrl: text, webUrl: text, format: text, owner: text },
    }),
    projectFile: orNull({
      type: "object",
      properties: { path: text, owner: text, projectSlug: text, visibility: text },
    }),
    credentialsFile: text,
    credential: orNull(exactly({ source: text, kind: text })),
    shareToken: orNull(exactly({ source: text })),
    login: orNull(exactly({ origin: text, username: textOrNull, label: text, since: text, expiresAt: textOrNull })),
  }),
  errors: ["input_needed"],
  examples: ["plinth status", "plinth status --field baseUrl"],
  async run({ settings, config, io, flags, reader, progress }) {
    const { baseUrl, webUrl, format, sources } = settings;
    const foundToken = await findToken({ flags, io, baseUrl, reader, warn: progress });
    const credential = foundToken && {
      source: foundToken.source,
      kind: foundToken.agentId === undefined ? kindOf(foundToken.token) : "id token",
    };
    const project = await findProjectFile(io);
    const share = findShareToken({ flags, io, settings });
    const value = {
      version,
      build,
      baseUrl,
      webUrl,
      format,
      sources,
      configFile: config && { path: config.path, ...config.members },
      projectFile: project && { path: project.path, ...project.members },
      credentialsFile: credentialsFile(io.env),
      credential,
      shareToken: share && { source: share.source },
      login: await loginOf(io.env, baseUrl),
    };
    const inWords = {
      ...value,
      configFile: value.configFile ?? `none; ${userConfigPath(io.env)}`,
      projectFile: value.projectFile ?? `none; ${projectFileName}`,
      credential: credential ?? "none",
      shareToken: share?.source ?? "none",
      login: value.login ?? "none; plinth login",
    };
    return { value, text: (style) => describe(inWords, style) };
  },
};

/** What `login` saved for this origin, whether or not another token goes before it. */
async function loginOf(env: Io["env"], origin: string) {
  const saved = await savedLogin(env, origin, () => {});
  if (saved === null) return null;
  const { username, label, since, expiresAt } = saved;
  return { origin, username, label, since, expiresAt };
}

const kinds: Readonly<Record<string, string>> = {
  plk_: "API key",
  pla_: "agent or login token",
  plo_: "operator token",
  pls_: "share token",
};

const kindOf = (token: string): string => kinds[token.slice(0, 4)] ?? "token";
