// The settings of one run: flags first, then the environment, then the person's own file, then the defaults. Reads no
// file and sends nothing; the file is user-config.ts, credentials are credentials.ts.
import { usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import { defaultBaseUrl, formats, type Format } from "../flags/global-flags.ts";
import type { Io } from "../io/io.ts";
import type { SettingsFile } from "./settings-file.ts";

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
  /** The jq program that the result goes through. */
  readonly jq: string | null;
  /** What gave each: a flag, a variable, a file's path, or `default`. */
  readonly sources: Readonly<Record<"baseUrl" | "webUrl" | "format", string>>;
}

/** Settles every setting. @throws Failure usage */
export function resolveSettings(
  { flags }: Pick<Values, "flags">,
  { env, stdout }: Pick<Io, "env" | "stdout">,
  config: UserConfig | null = null,
): Settings {
  const own = config?.members ?? {};
  const file = config?.path ?? "";
  const base = firstDefined(
    ["--base-url", readOrigin("--base-url", flags["base-url"])],
    ["SERVICE_BASE_URL", readOrigin("SERVICE_BASE_URL", env["SERVICE_BASE_URL"])],
    [file, own.baseUrl],
    ["default", defaultBaseUrl],
  );
  const web = firstDefined(
    ["--web-url", readOrigin("--web-url", flags["web-url"])],
    ["SERVICE_WEB_URL", readOrigin("SERVICE_WEB_URL", env["SERVICE_WEB_URL"])],
    // The web address of one instance must not be taken for that of another.
    [file, base.value === (own.baseUrl ?? defaultBaseUrl) ? own.webUrl : undefined],
    ["default", base.value],
  );
  const ndjson = flags["ndjson"] === true;
  const format = firstDefined<Format>(
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
    jq: typeof flags["jq"] === "string" ? flags["jq"] : null,
    sources: { baseUrl: base.source, webUrl: web.source, format: format.source },
  };
}

type Candidate<Value> = readonly [source: string, value: Value | undefined];

/** The first that says something; the last always does. */
function firstDefined<Value>(...said: [...Candidate<Value>[], readonly [string, Value]]): {
  source: string;
  value: Value;
} {
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

function readOrigin(name: string, given: unknown): string | undefined {
  if (typeof given !== "string" || (given === "" && !name.startsWith("--"))) return undefined;
  const read = parseOrigin(given);
  if (typeof read === "string") return read;
  throw usage(`${name} ${read.wrong}`, { hint: read.hint });
}

/** A host alone, as people write it: plain http is for this machine. */
function withScheme(given: string): string {
  const host = /^(\[[\da-f:]+\]|[a-z\d][a-z\d.-]*)(?::\d+)?$/i.exec(given)?.[1];
  if (host === undefined || !/[.\]]|^localhost$/i.test(host)) return given;
  return `${isLoopbackHost(host) ? "http" : "https"}://${given}`;
}

/** Whether the host is this machine. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host);

/** Credentials in an address would reach logs and other people's screens, and a path would be dropped. */
export function parseOrigin(given: string): string | { readonly wrong: string; readonly hint: string } {
  const text = withScheme(given);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return { wrong: "is not an http or https address", hint: `Give it as ${defaultBaseUrl}` };
  if (url.username !== "" || url.password !== "")
    return { wrong: "must not hold credentials", hint: "Use --token or SERVICE_TOKEN" };
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return { wrong: "has a path", hint: `Give the origin alone: ${url.origin}` };
  return url.origin;
}
