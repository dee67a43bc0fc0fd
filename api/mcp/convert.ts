// Arguments in the form that the schema wants, where a model wrote another one that has only one meaning: a number or a
// list as text, one object or text for a list of one.
import { bodyDepth, bodyValues } from "@plinth/contract/limits";
import { parsedJson } from "@plinth/platform/malformed";

import { createJsonScan } from "../json-scan.ts";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

const typesOf = ({ type, anyOf = [] }: Schema): string[] => [
  ...(type === undefined ? [] : [type]),
  ...anyOf.flatMap(typesOf),
];

/**
 * Whether a value says that an argument is left out: `null` or an empty text where the schema takes neither. Models send
 * them, and clients in strict modes must.
 */
export function meansNothing(schema: Schema, value: unknown): boolean {
  const takesText = ({ type, enum: values, pattern, minLength = 0, anyOf }: Schema): boolean =>
    anyOf?.some(takesText) ?? (type === "string" && values === undefined && pattern === undefined && minLength === 0);
  if (value === null) return !typesOf(schema).includes("null");
  return value === "" && !takesText(schema);
}

export function converted(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const types = typesOf(schema);
  if (typeof value === "string" && !types.includes("string")) return fromText(schema, types, value);
  const isOne = typeof value === "object" && value !== null && !Array.isArray(value);
  return isOne && types.includes("array") && !types.includes("object") ? [value] : value;
}

function fromText({ items }: Schema, types: readonly string[], text: string): unknown {
  if (types.includes("integer") && /^(?:0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  const isList = types.includes("array");
  if (!isList && !types.includes("object")) return text;
  const value = parsed(text);
  if (isList && value === undefined && items?.type === "string") return [text];
  if (Array.isArray(value)) return isList ? value : text;
  if (typeof value !== "object" || value === null) return text;
  return isList ? [value] : value;
}

/** Undefined where it is no JSON, or more of it than a body may have. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  if (createJsonScan({ depth: bodyDepth, values: bodyValues })(Buffer.from(text)) !== null) return undefined;
  return parsedJson(text);
}
