// `plinth status`: where this client would send and with whose token. Sends nothing, shows no secret.
import type { Command } from "../command.ts";
import { credentialsFile, findToken } from "../credentials.ts";
import { describe } from "../output/describe.ts";
import { version } from "../version.ts";

const text = { type: "string" };

export const statusCommand: Command = {
  path: "status",
  summary: "Show this client's settings and which token it would use; sends nothing",
  flags: { json: { type: "boolean", description: "The same as --format json" } },
  stdin: null,
  effect: "local",
  idempotent: true,
  checkable: false,
  confirm: false,
  operation: null,
  output: {
    type: "object",
    properties: {
      version: text,
      baseUrl: text,
      webUrl: text,
      format: text,
      credentialsFile: text,
      credential: { type: "object", properties: { source: text, kind: text } },
    },
  },
  examples: ["plinth status", "plinth status --field baseUrl"],
  async run({ settings, io, flags, reader }) {
    const { baseUrl, webUrl, format } = settings;
    const found = await findToken({ flags, io, baseUrl, reader });
    const credential = found && { source: found.source, kind: kindOf(found.token) };
    const value = {
      version,
      baseUrl,
      webUrl,
      format,
      credentialsFile: credentialsFile(io.env),
      credential,
    };
    return { value, text: (style) => describe({ ...value, credential: credential ?? "none" }, style) };
  },
};

const kinds: Readonly<Record<string, string>> = {
  plk_: "API key",
  pla_: "agent or login token",
  plo_: "operator token",
  pls_: "share token",
};

const kindOf = (token: string): string => kinds[token.slice(0, 4)] ?? "token";
