// Calls of `import.meta.glob`: what their literal arguments say, and the object of modules that they stand for.
import { globbedPaths, type ImportGlob, isGlob } from "@plinth/contract/publishing/import-glob";
import type { Argument, CallExpression, ObjectExpression } from "oxc-parser";

import { addressFrom, type FilesBeside } from "./files-beside.ts";
import type { Finding } from "./problems.ts";

/** How a file is imported: as a module, as its text, or as its address. */
type ImportAs = "" | "?raw" | "?url";

export interface GlobCall extends ImportGlob {
  readonly isEager: boolean;
  /** The export that is taken of each module; null for all of them. */
  readonly exportName: string | null;
  readonly as: ImportAs;
}

/** Files of all patterns of a call: each is some code. */
const mostFiles = 500;

const literals = "import.meta.glob needs its patterns and options as plain values, so that the files are known.";
const beginnings =
  "A pattern of import.meta.glob begins with ./, ../, /, ** or @/, has 512 characters at most, and is one of 32.";

/** @returns a finding where the call cannot be read */
export function globCall(call: CallExpression, isEager: boolean): GlobCall | Finding {
  const [first, second] = call.arguments;
  const refuse = (message: string): Finding => ({ at: call.start, message });
  const given = valueOf(first);
  const patterns = Array.isArray(given) ? given : [given];
  const options = second === undefined ? {} : valueOf(second);
  if (!patterns.every((pattern) => typeof pattern === "string") || options === undefined || !isOptions(options))
    return refuse(literals);
  if (!isGlob({ patterns })) return refuse(beginnings);
  const { eager, base, exhaustive, query, as } = options;
  const imported = importAs(query ?? as);
  if (imported === null) return refuse("Of the queries of import.meta.glob a document has ?raw and ?url alone.");
  const exportName = typeof options["import"] === "string" && options["import"] !== "*" ? options["import"] : null;
  return {
    patterns,
    base: typeof base === "string" ? base : "",
    exhaustive: exhaustive === true,
    isEager: isEager || eager === true,
    // Before it had a query, `as` gave the value itself.
    exportName: exportName ?? (typeof as === "string" && imported !== "" ? "default" : null),
    as: imported,
  };
}

type Value = string | boolean | readonly Value[] | { readonly [name: string]: Value } | undefined;

const isOptions = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === "object" && !Array.isArray(value);

/** The value of a literal; undefined for any other expression. Deeper than options go there is none. */
function valueOf(node: Argument | undefined, depth = 0): Value {
  if (node === undefined || depth > 2) return undefined;
  if (node.type === "Literal")
    return typeof node.value === "string" || typeof node.value === "boolean" ? node.value : undefined;
  if (node.type === "TemplateLiteral")
    return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
  if (node.type === "TSAsExpression") return valueOf(node.expression, depth);
  if (node.type === "ArrayExpression")
    return node.elements.map((element) =>
      valueOf(element === null || element.type === "SpreadElement" ? undefined : element, depth + 1),
    );
  return node.type === "ObjectExpression" ? objectOf(node, depth) : undefined;
}

function objectOf({ properties }: ObjectExpression, depth: number): Value {
  const found: Record<string, Value> = {};
  for (const property of properties) {
    if (property.type !== "Property" || property.computed) return undefined;
    const { key, value } = property;
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
    const read = valueOf(value, depth + 1);
    if (read === undefined) return undefined;
    found[name] = read;
  }
  return found;
}

/** Null for a query that would make something else of a file. */
function importAs(query: Value): ImportAs | null {
  const text =
    typeof query === "string"
      ? query.replace(/^\?/, "")
      : isOptions(query ?? "")
        ? Object.keys(query ?? {}).join("&")
        : "";
  if (text === "" || text === "raw" || text === "url") return text === "" ? "" : `?${text}`;
  return null;
}

interface GlobPlace {
  /** Of the module among the files; null of the document. */
  readonly path: string | null;
  readonly beside: FilesBeside;
  /** Of the function that gives the object. */
  readonly name: string;
}

/** The function that stands for the call, with the imports that it needs, or why there is none. */
export function globCode(call: GlobCall, { path, beside, name }: GlobPlace): { code: string; problem: string | null } {
  const folder = (path ?? beside.base).split("/").slice(0, -1).join("/");
  const roots = [...new Set(["", beside.base.replace(/\/$/, "")])];
  const found = [...globbedPaths(call, { folder, roots }, beside.paths)].filter(([, to]) => to !== path);
  if (found.length > mostFiles)
    return {
      code: "",
      problem: `The patterns of import.meta.glob mean ${found.length} files, and ${mostFiles} at most can be imported.`,
    };
  const imports: string[] = [];
  const members = found.map(([key, to], at) => {
    const specifier = JSON.stringify(`${addressOf(folder, to)}${call.as}`);
    const local = `${name}_${at}`;
    if (call.isEager) {
      const what = call.exportName === null ? `* as ${local}` : `{ ${JSON.stringify(call.exportName)} as ${local} }`;
      imports.push(`import ${what} from ${specifier};`);
      return `${JSON.stringify(key)}: ${local}`;
    }
    const taken = call.exportName === null ? "" : `.then((all) => all[${JSON.stringify(call.exportName)}])`;
    return `${JSON.stringify(key)}: () => import(${specifier})${taken}`;
  });
  return { code: `${imports.join("\n")}\nfunction ${name}() { return { ${members.join(", ")} }; }`, problem: null };
}

/** As an import names it: the same as an address, without its escapes. */
const addressOf = (folder: string, path: string): string =>
  decodeURIComponent(addressFrom(folder === "" ? "" : `${folder}/`, path));
