// The settings of one run: flags first, then the environment, then the person's own file, then the defaults. Reads no
// file and sends nothing; the file is user-config.ts, credentials are credentials.ts.
import { join } from "node:path";

import { usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { homeOf } from "../files/user-directories.ts";
import type { Io } from "../io/io.ts";
import type { SettingsFile } from "./settings-file.ts";

export type Format = "json" | "text";

export type UserConfig = SettingsFile<"baseUrl" | "webUrl" | "format" | "owner">;

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
  /** What gave each: a flag, a variable, a file's path, or `default`. */
  readonly sources: Readonly<Record<"baseUrl" | "webUrl" | "format", string>>;
}

export const formats = ["json", "text"] as const satisfies readonly Format[];
const defaultBaseUrl = "http://localhost:3000";

/** Flags that every command takes, anywhere on the line (docs/reference/experience.md §2). */
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
export function settle(
  { flags }: Pick<Values, "flags">,
  { env, stdout }: Pick<Io, "env" | "stdout">,
  config: UserConfig | null = null,
): Settings {
  const own = config?.members ?? {};
  const file = config?.path ?? "";
  const base = first(
    ["--base-url", origin("--base-url", flags["base-url"])],
    ["SERVICE_BASE_URL", origin("SERVICE_BASE_URL", env["SERVICE_BASE_URL"])],
    [file, own.baseUrl],
    ["default", defaultBaseUrl],
  );
  const web = first(
    ["--web-url", origin("--web-url", flags["web-url"])],
    ["SERVICE_WEB_URL", origin("SERVICE_WEB_URL", env["SERVICE_WEB_URL"])],
    // The web address of one instance must not be taken for that of another.
    [file, base.value === (own.baseUrl ?? defaultBaseUrl) ? own.webUrl : undefined],
    ["default", base.value],
  );
  const ndjson = flags["ndjson"] === true;
  const format = first<Format>(
    ["--ndjson", ndjson ? "json" : undefined],
    ["--json", flags["json"] === true ? "json" : undefined],
    ["--format", flags["format"] as Format | undefined],
    ["SERVICE_FORMAT", formatFromEnvironment(env)],
    [file, own.format as Format | undefined],
    ["default", formatOf(stdout)],
  );
  return {
    baseUrl: base.value,
    webUrl: web.value,
    format: format.value,
    ndjson,
    quiet: flags["quiet"] === true,
    noInput: flags["no-input"] === true || isOn(env["SERVICE_NO_INPUT"]) || isOn(env["CI"]),
    debug: flags["debug"] === true || isOn(env["SERVICE_DEBUG"]),
    dryRun: flags["dry-run"] === true,
    check: flags["check"] === true,
    field: typeof flags["field"] === "string" ? flags["field"] : null,
    sources: { baseUrl: base.source, webUrl: web.source, format: format.source },
  };
}

type Said<Value> = readonly [source: string, value: Value | undefined];

/** The first that says something; the last always does. */
function first<Value>(...said: [...Said<Value>[], readonly [string, Value]]): { source: string; value: Value } {
  for (const [source, value] of said) if (value !== undefined) return { source, value };
  throw new Error("The last says nothing");
}

/** The format for a line that could not be read: what can be seen of it, so that the failure is printed as asked. */
export function guessFormat(
  argv: readonly string[],
  { env, stdout }: Pick<Io, "env" | "stdout">,
  config: UserConfig | null = null,
): Format {
  const place = argv.findLastIndex((word) => word === "--format" || word.startsWith("--format="));
  const said = argv[place]?.split("=")[1] ?? (place < 0 ? undefined : argv[place + 1]);
  if (argv.includes("--ndjson")) return "json";
  const known = (text: string | undefined) => formats.find((format) => format === text);
  return known(said ?? (env["SERVICE_FORMAT"] || config?.members.format)) ?? formatOf(stdout);
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

/** Whether a variable that is on or off is on. */
export const isOn = (value: string | undefined): boolean => value !== undefined && !["", "0", "false"].includes(value);

function origin(name: string, given: unknown): string | undefined {
  if (typeof given !== "string" || (given === "" && !name.startsWith("--"))) return undefined;
  const read = originOf(given);
  if (typeof read === "string") return read;
  throw usage(`${name} ${read.wrong}`, { hint: read.hint });
}

/** Credentials in an address would reach logs and other people's screens, and a path would be dropped. */
export function originOf(given: string): string | { readonly wrong: string; readonly hint: string } {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return { wrong: "is not an http or https address", hint: `Give it as ${defaultBaseUrl}` };
  if (url.username !== "" || url.password !== "")
    return { wrong: "must not hold credentials", hint: "Use --token or SERVICE_TOKEN" };
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return { wrong: "has a path", hint: `Give the origin alone: ${url.origin}` };
  return url.origin;
}

/** Where the user's own settings and credentials live. */
export function configDirectory(env: Io["env"]): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base !== undefined && base.startsWith("/") ? base : join(homeOf(env), ".config"), "plinth");
}
