// From the arguments of a tool to the input of its operation: other names, addresses for identifiers, shorter lists.
// Whatever is wrong is named as the caller wrote it; what an operation's own fields must be is its own to say.
import { AppError, type FieldError } from "@plinth/contract/errors";
import { nameInTool, type Tool } from "@plinth/contract/mcp/tools";
import { depthErrors, fieldErrors, invalid, type Checked } from "@plinth/domain/input";

export interface Arguments extends Checked {
  /** Those that the tool has beside its operation's; only where `errors` names none of them are they what they must be. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** Items of a list where the caller does not say how many: a model reads them all. */
const listed = 10;

/** Nothing is thrown: what is wrong is said when its turn comes (docs/reference/contract.md §2, "Order of checks"). */
export function readArguments(tool: Tool, given: Readonly<Record<string, unknown>>, publicUrl: string): Arguments {
  const deep = depthErrors(given);
  if (deep.length > 0) return { input: {}, own: {}, errors: deep };
  const { renamed = {}, operation } = tool;
  const input: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  const wrongs: FieldError[] = [];
  for (const [field, value] of Object.entries(given)) {
    if (Object.hasOwn(tool.own.properties, field)) own[field] = value;
    else if (Object.hasOwn(renamed, field)) input[renamed[field] ?? field] = value;
    else if (Object.hasOwn(tool.input.properties, field)) input[field] = value;
    else wrongs.push({ path: field, message: "is not a known field" });
  }
  const fields = operation.input.properties;
  if ("limit" in fields && !("limit" in input)) input["limit"] = listed;
  if (typeof input["artifactId"] === "string") {
    const { name, version, wrong } = artifactNamed(input["artifactId"], publicUrl);
    input["artifactId"] = name;
    if (wrong !== undefined) wrongs.push({ path: "artifactId", message: wrong });
    if (version !== undefined && "version" in fields && !("version" in input)) input["version"] = version;
  }
  return { input, own, errors: [...wrongs, ...fieldErrors(tool.own, own)] };
}

interface Named {
  readonly name: string;
  readonly version?: number;
  readonly wrong?: string;
}

/**
 * An address of this instance as `owner/project/slug`, with the version it names; any other text as it is. Of an address
 * that can name none it is said why, for a model would go on trying others like it.
 */
function artifactNamed(name: string, publicUrl: string): Named {
  const url = /^https?:/i.test(name) ? URL.parse(name) : null;
  if (url === null) return { name };
  if (url.origin !== new URL(publicUrl).origin)
    return { name, wrong: `is not an address of this instance, ${publicUrl}` };
  const [first, ...more] = url.pathname.slice(1).split("/");
  if (first === "share")
    return { name, wrong: "is the address of a share link, for people; send the artifact's own address or its id" };
  const isPage = more.length > 2 && (more[2] === "history" || more[2] === "settings" || more[2] === "");
  const path = [first, ...(isPage ? more.slice(0, 2) : more)].join("/");
  const version = url.searchParams.get("v");
  const isNumber = version !== null && /^[1-9]\d{0,9}$/.test(version);
  return isNumber ? { name: path, version: Number(version) } : { name: path };
}

/** What is wrong with the arguments, by the names that the caller wrote; any other error as it is. */
export function asWritten(tool: Tool, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "invalid_request" || error.extra.errors === undefined)
    return error;
  return invalid(error.extra.errors.map((each) => ({ ...each, path: nameInTool(tool, each.path) })));
}
