// The settings of one run: flags first, then the environment, then the defaults. Reads no file and sends
// nothing; credentials are credentials.ts.
import { join } from "node:path";

import { usage } from "./failure.ts";
import type { Flags, Values } from "./command.ts";
import { homeOf } from "./home.ts";
import type { Io } from "./io.ts";

export type Format = "json" | "text";

export interface Settings {
  /** Origins, without a path. */
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly format: Format;
  readonly ndjson: boolean;
  readonly quiet: boolean;
  readonly noInput: boolean;
  readonly debug: boolean;
  readonly dryRun: boolean;
  readonly check: boolean;
  /** The one member of the result to print, dotted. */
  readonly field: string | null;
}

export const formats = ["json", "text"] as const satisfies readonly Format[];
const defaultBaseUrl = "http://localhost:3000";

/** Flags that every command takes, anywhere on the line (specification, "Command-line client"). */
export const globalFlags = {
  "base-url": {
    type: "string",
    valueHint: "url",
    env: "SERVICE_BASE_URL",
    description: `API address (${defaultBaseUrl})`,
  },
  "web-url": {
    type: "string",
    valueHint: "url",
    env: "SERVICE_WEB_URL",
    description: "Web address for signing in (the API's)",
  },
  token: { type: "string", valueHint: "token", env: "SERVICE_TOKEN", description: "Bearer token" },
  "token-stdin": { type: "boolean", description: "Read the token from standard input" },
  "share-token": {
    type: "string",
    valueHint: "token",
    env: "SERVICE_SHARE_TOKEN",
    description: "Token or address of a share link, sent beside the bearer token or alone",
  },
  "operator-token-file": {
    type: "string",
    valueHint: "path",
    description: "File with the operator token, for operator commands",
  },
  format: {
    type: "string",
    valueHint: "json|text",
    values: formats,
    env: "SERVICE_FORMAT",
    description: "Output: text on a terminal, else json",
  },
  ndjson: { type: "boolean", description: "Lists: one item a line, every page up to --limit" },
  field: {
    type: "string",
    valueHint: "name",
    description: "Print one raw value of the result, such as url",
  },
  quiet: { type: "boolean", description: "No progress on standard error" },
  "no-input": { type: "boolean", env: "SERVICE_NO_INPUT", description: "Never prompt" },
  debug: { type: "boolean", env: "SERVICE_DEBUG", description: "Print stack traces" },
  "dry-run": { type: "boolean", description: "Send nothing, print the request" },
  check: { type: "boolean", description: "Ask the server for the would-be result; writes nothing" },
  help: { type: "boolean", short: "h", description: "Explain the command" },
  version: { type: "boolean", description: "Print the client's version" },
} as const satisfies Flags;

/** Settles every setting. @throws Failure usage */
export function settle({ flags }: Pick<Values, "flags">, { env, stdout }: Pick<Io, "env" | "stdout">): Settings {
  const baseUrl =
    origin("--base-url", flags["base-url"]) ?? origin("SERVICE_BASE_URL", env["SERVICE_BASE_URL"]) ?? defaultBaseUrl;
  const ndjson = flags["ndjson"] === true;
  return {
    baseUrl,
    webUrl: origin("--web-url", flags["web-url"]) ?? origin("SERVICE_WEB_URL", env["SERVICE_WEB_URL"]) ?? baseUrl,
    format:
      ndjson || flags["json"] === true
        ? "json"
        : ((flags["format"] as Format | undefined) ?? formatFromEnvironment(env) ?? formatOf(stdout)),
    ndjson,
    quiet: flags["quiet"] === true,
    noInput: flags["no-input"] === true || isOn(env["SERVICE_NO_INPUT"]) || isOn(env["CI"]),
    debug: flags["debug"] === true || isOn(env["SERVICE_DEBUG"]),
    dryRun: flags["dry-run"] === true,
    check: flags["check"] === true,
    field: typeof flags["field"] === "string" ? flags["field"] : null,
  };
}

/** The format for a line that could not be read: what can be seen of it, so that the failure is printed as asked. */
export function guessFormat(argv: readonly string[], { env, stdout }: Pick<Io, "env" | "stdout">): Format {
  const place = argv.findLastIndex((word) => word === "--format" || word.startsWith("--format="));
  const said = argv[place]?.split("=")[1] ?? (place < 0 ? undefined : argv[place + 1]);
  if (argv.includes("--ndjson")) return "json";
  return formats.find((format) => format === (said ?? env["SERVICE_FORMAT"])) ?? formatOf(stdout);
}

const formatOf = (stdout: Io["stdout"]): Format => (stdout.isTerminal ? "text" : "json");

function formatFromEnvironment(env: Io["env"]): Format | undefined {
  const said = env["SERVICE_FORMAT"];
  if (said === undefined || said === "") return undefined;
  const format = formats.find((known) => known === said);
  if (format) return format;
  throw usage(`SERVICE_FORMAT is neither ${formats.join(" nor ")}`, {
    hint: "Set SERVICE_FORMAT to json or text, or unset it",
  });
}

const isOn = (value: string | undefined): boolean => value !== undefined && !["", "0", "false"].includes(value);

/** Credentials in an address would reach logs and other people's screens, and a path would be dropped. */
function origin(name: string, given: unknown): string | undefined {
  if (typeof given !== "string" || (given === "" && !name.startsWith("--"))) return undefined;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw usage(`${name} is not an http or https address`, {
      hint: `Give it as ${defaultBaseUrl}`,
    });
  }
  if (url.username !== "" || url.password !== "")
    throw usage(`${name} must not hold credentials`, { hint: "Use --token or SERVICE_TOKEN" });
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw usage(`${name} has a path`, { hint: `Give the origin alone: ${url.origin}` });
  }
  return url.origin;
}

/** Where the user's own settings and credentials live. */
export function configDirectory(env: Io["env"]): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base !== undefined && base.startsWith("/") ? base : join(homeOf(env), ".config"), "plinth");
}
