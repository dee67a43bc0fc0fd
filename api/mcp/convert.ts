// Arguments in the form that the schema wants, where a model wrote another one that has only one meaning: a number or a
// list as text, one object for a list of one.
import { bodyDepth, bodyValues } from "@plinth/contract/limits";

import { createJsonScan } from "../json-scan.ts";

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

const typesOf = ({ type, anyOf = [] }: Schema): string[] => [
  ...(type === undefined ? [] : [type]),
  ...anyOf.flatMap(typesOf),
];

export function converted(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const types = typesOf(schema);
  if (typeof value === "string" && !types.includes("string")) return fromText(types, value);
  const isOne = typeof value === "object" && value !== null && !Array.isArray(value);
  return isOne && types.includes("array") && !types.includes("object") ? [value] : value;
}

function fromText(types: readonly string[], text: string): unknown {
  if (types.includes("integer") && /^(?:0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  const isList = types.includes("array");
  if (!isList && !types.includes("object")) return text;
  const value = parsed(text);
  if (Array.isArray(value)) return isList ? value : text;
  if (typeof value !== "object" || value === null) return text;
  return isList ? [value] : value;
}

/** Undefined where it is no JSON, or more of it than a body may have. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  if (createJsonScan({ depth: bodyDepth, values: bodyValues })(Buffer.from(text)) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
