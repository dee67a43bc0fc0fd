// Converts the arguments of a tool to the input of its operation: other names, addresses for identifiers, shorter
// lists. Faults name the arguments as the caller wrote them; the operation checks its own fields.
import { AppError, type FieldError } from "@plinth/contract/errors";
import { nameInTool, type Tool } from "@plinth/contract/mcp/tools";
import { depthErrors, fieldErrors, invalid, type Checked } from "@plinth/domain/input";

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
 * Converts a URL of this instance to `owner/project/slug` and the version that it names; any other text stays
 * unchanged. A URL that cannot name an artifact gives a reason, because a model would otherwise try others like it.
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

/** Faults of the arguments under the names that the caller wrote; any other error stays unchanged. */
export function asWritten(tool: Tool, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "invalid_request" || error.extra.errors === undefined)
    return error;
  return invalid(error.extra.errors.map((each) => ({ ...each, path: nameInTool(tool, each.path) })));
}
