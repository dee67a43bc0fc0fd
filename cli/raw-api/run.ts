// Runs `api`: sends one request, or one for each page of a list.
import { problemOf } from "@plinth/contract/client";
import { parsedJson } from "@plinth/platform/malformed";

import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import { previewOf, previewText } from "../output/preview.ts";
import { escapeControls, type Result } from "../output/print.ts";

/** Bytes of a body. */
const longestBody = 128 * 1024 * 1024;

/** @throws Failure, ProblemError */
export async function callApi(context: Context, values: Values): Promise<Result> {
  const { settings } = context;
  const request = await requestOf(context, values);
  if (settings.dryRun) {
    const preview = await previewOf(request);
    return { value: preview, text: ({ paint }) => previewText(preview, paint) };
  }
  if (values.flags["paginate"] === true) return allPages(request, context);
  return answerOf(await sent(request, context));
}

async function sent(request: Request, context: Context): Promise<Response> {
  const response = await context.sendAuthorized(request);
  if (!response.ok && response.status !== 304) throw await problemOf(response);
  return response;
}

async function answerOf(response: Response): Promise<Result> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!isJson(response)) return { value: new TextDecoder().decode(bytes), bytes };
  const value: unknown = bytes.length === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes));
  return { value, text: () => escapeControls(JSON.stringify(value, null, 2)) };
}

const isJson = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("application/json") ?? true;

/** The lists of all pages in one answer. */
async function allPages(first: Request, context: Context): Promise<Result> {
  if (first.method !== "GET") throw usage("--paginate is for GET");
  const whole: Record<string, unknown> = {};
  let cursor: unknown = null;
  do {
    const url = new URL(first.url);
    if (typeof cursor === "string") url.searchParams.set("cursor", cursor);
    const page = (await (await sent(new Request(url, first), context)).json()) as Record<string, unknown>;
    for (const [name, value] of Object.entries(page))
      whole[name] = Array.isArray(value) ? [...((whole[name] as unknown[] | undefined) ?? []), ...value] : value;
    cursor = page["nextCursor"];
  } while (typeof cursor === "string");
  const items = Object.values(whole).find(Array.isArray) as readonly unknown[] | undefined;
  return { value: whole, ...(items && { items }), text: () => escapeControls(JSON.stringify(whole, null, 2)) };
}

async function requestOf({ settings, reader }: Context, { flags, positionals }: Values): Promise<Request> {
  const url = urlOf(positionals, settings);
  const members = membersOf(listOf(flags["set"]));
  const json = flags["json"];
  if (typeof json === "string" && members.length > 0) throw usage("--json and --set exclude each other");
  const isRead = flags["method"] === "GET" || (flags["method"] === undefined && flags["paginate"] === true);
  const hasBody = typeof json === "string" || (members.length > 0 && !isRead);
  const method = typeof flags["method"] === "string" ? flags["method"] : hasBody ? "POST" : "GET";
  if (method === "GET" && typeof json === "string") throw usage("A GET has no body", { hint: "Give --method" });
  const headers = headersOf(listOf(flags["header"]));
  if (method === "GET")
    for (const [name, value] of members)
      url.searchParams.append(name, typeof value === "string" ? value : JSON.stringify(value));
  if (method === "GET" || !hasBody) return new Request(url, { method, headers, redirect: "manual" });
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  const body = typeof json === "string" ? await bodyText(json, reader) : JSON.stringify(Object.fromEntries(members));
  return new Request(url, { method, headers, body, redirect: "manual" });
}

/** A route of this instance: the credential is for no other. @throws Failure usage */
function urlOf([path, ...more]: readonly string[], { baseUrl, webUrl }: Context["settings"]): URL {
  if (path === undefined || more.length > 0)
    throw usage("api needs one path", { hint: "Such as plinth api /api/profile/me", next: "plinth api --help" });
  const text = /^https?:/i.test(path) ? path : path.replace(/^\/*/, "/");
  const url = URL.canParse(text, baseUrl) ? new URL(text, baseUrl) : null;
  if (url === null) throw usage("That is no path", { hint: "Such as /api/profile/me" });
  if (url.origin !== baseUrl && url.origin !== webUrl)
    throw usage(`The address leads to ${url.origin}, and not to ${baseUrl}`, {
      hint: `If you trust it, use --base-url ${url.origin}`,
    });
  if (!url.pathname.startsWith("/api/"))
    throw usage("That is no route of the API", { hint: "Routes begin with /api/", next: "plinth api --help" });
  return new URL(url.pathname + url.search, baseUrl);
}

const listOf = (given: unknown): readonly string[] => (Array.isArray(given) ? given.map(String) : []);

const membersOf = (given: readonly string[]): (readonly [name: string, value: unknown])[] =>
  given.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw usage("--set needs name=value");
    const given = text.slice(at + 1);
    const value = parsedJson(given);
    return [text.slice(0, at), value === undefined ? given : value] as const;
  });

function headersOf(given: readonly string[]): Headers {
  const headers = new Headers({ accept: "application/json, */*;q=0.5" });
  for (const text of given) {
    const [, name, value] = /^([A-Za-z0-9-]+):\s*(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) throw usage("--header needs name:value");
    if (/^authorization$/i.test(name)) throw usage("The credential is given with --token or SERVICE_TOKEN");
    headers.set(name, value);
  }
  return headers;
}

async function bodyText(given: string, reader: Context["reader"]): Promise<string> {
  const name = given === "-" ? "-" : given.startsWith("@") ? given.slice(1) : null;
  return name === null ? given : (await reader.source(name, longestBody)).content;
}
