// Converts the arguments of a tool to the input of its operation: other names, addresses for identifiers, shorter
// lists. Faults name the arguments as the caller wrote them; the operation checks its own fields.
import type { FieldError } from "@plinth/contract/errors";
import type { Tool } from "@plinth/contract/mcp/tools";
import { nearest } from "@plinth/contract/suggestion";
import { depthErrors, fieldErrors, type Checked } from "@plinth/domain/input";
import { splitProjectName } from "@plinth/domain/project-name";

import { converted, meansNothing } from "./convert.ts";

export interface Arguments extends Checked {
  /** The tool's own arguments beside its operation's. They are valid only where `errors` names none of them. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** The default number of items in a list, because a model reads them all. */
const listed = 10;

/** Throws nothing: faults are reported in the order of checks (docs/reference/contract.md §2, "Order of checks"). */
export function readArguments(tool: Tool, given: Readonly<Record<string, unknown>>, publicUrl: string): Arguments {
  const deep = depthErrors(given);
  if (deep.length > 0) return { input: {}, own: {}, errors: deep };
  const { renamed = {}, operation } = tool;
  const fields = operation.input.properties as Readonly<Record<string, object>>;
  const input: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  const wrongs: FieldError[] = [];
  for (const [name, value] of Object.entries(given)) {
    const schema = tool.input.properties[name];
    if (schema !== undefined && !(tool.input.required ?? []).includes(name) && meansNothing(schema, value)) continue;
    // REST and the answers call these fields by the operation's names.
    const field = renamed[name] ?? name;
    const isRenamed = Object.values(renamed).includes(name);
    if (Object.hasOwn(tool.own.properties, name)) own[name] = converted(tool.own.properties[name], value);
    else if (isRenamed || Object.hasOwn(tool.input.properties, name)) input[field] = converted(fields[field], value);
    else wrongs.push({ path: name, message: unknownField(name, Object.keys(tool.input.properties)) });
  }
  if ("limit" in fields && !("limit" in input)) input["limit"] = listed;
  const named = "artifactId" in own ? own : input;
  if (typeof named["artifactId"] === "string") {
    const { name, version, wrong } = artifactNamed(named["artifactId"], publicUrl);
    named["artifactId"] = name;
    if (wrong !== undefined) wrongs.push({ path: "artifactId", message: wrong });
    if (version !== undefined && "version" in fields && !("version" in input)) input["version"] = version;
  }
  const placed = "projectId" in own ? own : input;
  if (typeof placed["projectId"] === "string") placed["projectId"] = projectNamed(placed["projectId"], publicUrl);
  wrongs.push(...splitProjectName(operation, input));
  return { input, own, errors: [...wrongs, ...fieldErrors(tool.own, own)] };
}

/** All fields are listed where none is like it: the names that models invent are often other words for the same. */
function unknownField(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const advice = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `the fields are ${known.join(", ")}`;
  return `is not a known field; ${advice}`;
}

interface Named {
  readonly name: string;
  readonly version?: number;
  readonly wrong?: string;
}

/**
 * Converts a URL of this instance, with or without its scheme or host, and a resource's URI to the name that operations
 * take and the version in it. A URL that cannot name an artifact gives a reason, because a model would otherwise try
 * others like it.
 */
function artifactNamed(written: string, publicUrl: string): Named {
  const name = written.trim();
  const [, artifactId, number] = /^artifact:\/\/(art_[0-9a-z]+)(?:\/v\/([1-9]\d{0,9}))?$/i.exec(name) ?? [];
  if (artifactId !== undefined)
    return { name: artifactId.toLowerCase(), ...(number !== undefined && { version: Number(number) }) };
  if (/^art_[0-9a-z]{26}$/i.test(name)) return { name: name.toLowerCase() };
  if (name.startsWith("pls_")) return { name: written, wrong: ofShareLink };
  const url = urlNamed(name, publicUrl);
  if (url === null) return { name: written };
  if (url.origin !== new URL(publicUrl).origin)
    return { name: written, wrong: `is not an address of this instance, ${publicUrl}` };
  const [first, ...more] = url.pathname.slice(1).split("/");
  if (first === "share") return { name: written, wrong: ofShareLink };
  const isPage = more.length > 2 && (more[2] === "history" || more[2] === "settings" || more[2] === "");
  const path = [first, ...(isPage ? more.slice(0, 2) : more)].join("/");
  const version = url.searchParams.get("v");
  const isNumber = version !== null && /^[1-9]\d{0,9}$/.test(version);
  return isNumber ? { name: path, version: Number(version) } : { name: path };
}

const ofShareLink =
  "is a share link, which opens an artifact for people in a browser; ask for the artifact's own address or its id";

/** Converts a URL of a project of this instance, with or without its host, to `owner/project`. */
function projectNamed(written: string, publicUrl: string): string {
  const name = written.trim();
  const url = urlNamed(name, publicUrl);
  return url?.origin === new URL(publicUrl).origin ? url.pathname.slice(1).replace(/\/$/, "") : name;
}

/** Null where it is an identifier or `owner/project/slug`. */
function urlNamed(name: string, publicUrl: string): URL | null {
  if (/^https?:/i.test(name)) return URL.parse(name);
  const { protocol, host } = new URL(publicUrl);
  if (name.toLowerCase().startsWith(`${host}/`)) return URL.parse(`${protocol}//${name}`);
  if (/^\/[^/]/.test(name)) return URL.parse(name, publicUrl);
  return /^[^/?]+\/[^/?]+\/[^/?]+\?v=\d+$/.test(name) ? URL.parse(`/${name}`, publicUrl) : null;
}
