// From what a caller sent to the input of an operation: coercion of path and query, the schema, well-formed
// text. Everything wrong is named by field; nothing is looked up here (docs/reference/contract.md §2, "Order of
// checks").
import { createObjectCache } from "@plinth/platform/caches";
import { AppError, type FieldError } from "@plinth/contract/errors";
import { bodyDepth } from "@plinth/contract/limits";
import { listItems } from "@plinth/contract/list-items";
import { bodyFields, hasBody, pathFields, type Operation } from "@plinth/contract/operation";
import { operations, type OperationName } from "@plinth/contract/registry";
import { isRecord } from "@plinth/platform/malformed";
import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";

import { splitProjectName } from "./project-name.ts";
import type { PackedText } from "./storage/pack.ts";

/** The parts of a request over HTTP, decoded but not yet checked. */
interface RestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Undefined where there is none. */
  readonly body: unknown;
}

export type NamedOperation = Operation & { readonly name: OperationName };

export interface Checked {
  readonly input: Record<string, unknown>;
  readonly errors: readonly FieldError[];
  /** The text of the input, where it was packed as the request was parsed. */
  readonly packed?: PackedText | undefined;
}

const validators = new Map<OperationName, Validator>(
  operations.map((op) => [op.name, Compile(lenientOnIds(op.input))]),
);

/** A malformed identifier is simply not found (docs/reference/contract.md §2), so the schema lets any text through. */
function lenientOnIds(input: TObject): TObject {
  const fields = Object.entries(input.properties).map(([name, schema]) => {
    if (!isId(schema)) return [name, schema];
    return [name, input.required?.includes(name) ? Type.String() : Type.Optional(Type.String())];
  });
  return Type.Object(Object.fromEntries(fields) as TProperties, { additionalProperties: false });
}

function isId(schema: TSchema | undefined): boolean {
  const pattern = schema !== undefined && "pattern" in schema ? schema.pattern : null;
  return typeof pattern === "string" && /^\^[a-z]{3}_/.test(pattern);
}

/** Errors that one answer names: it must not grow with what is wrong. */
const namedAtMost = 20;
/** Characters of a name that is said back. */
const shownOfName = 100;

/** Puts the parts together into one flat input, and says what can't be. */
export function fromRest(op: Operation, parts: RestParts): Checked {
  const input: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const field of pathFields(op)) input[field] = placeOf(op.input.properties[field], parts.path[field] ?? "");
  const fromQuery = hasBody(op) ? [] : bodyFields(op);
  for (const name of namesIn(parts.query)) {
    const values = parts.query.getAll(name);
    // The surface reads these.
    if ((name === "dryRun" && op.dryRun) || (name === "fields" && listItems(op) !== null)) continue;
    if (op.foreignQuery === true && !fromQuery.includes(name)) continue;
    if (!fromQuery.includes(name)) errors.push({ path: name, message: "is not a query parameter of this operation" });
    else if (values.length > 1) errors.push({ path: name, message: "is given more than once" });
    else input[name] = coerce(op.input.properties[name], values[0] ?? "");
  }
  if (!hasBody(op)) {
    if (parts.body !== undefined && !isEmptyObject(parts.body))
      errors.push({ path: "", message: "no body is expected" });
  } else if (!isRecord(parts.body)) {
    errors.push({ path: "", message: "must be a JSON object" });
  } else {
    const known = new Set(bodyFields(op));
    for (const name of Object.keys(parts.body)) {
      if (known.has(name)) input[name] = parts.body[name];
      else errors.push({ path: name, message: "is not a field of this body" });
      if (errors.length === namedAtMost) break;
    }
  }
  return { input, errors: [...errors, ...splitProjectName(op, input)] };
}

const noNames: ReadonlySet<string> = new Set();

const namesIn = (query: URLSearchParams): ReadonlySet<string> => (query.size === 0 ? noNames : new Set(query.keys()));

/** Checks a flat input against the operation's schema; null, or `invalid_request` with every field. */
export function inputRefusal(op: NamedOperation, { input, errors }: Checked): AppError | null {
  const found = [...errors];
  // Depth first: neither the validator nor the walk over texts may be driven down a well.
  const deep = depthErrors(input);
  if (deep.length > 0) return invalid(deep);
  if (found.length === 0) {
    malformedText(input, "", found);
    const validator = validators.get(op.name);
    if (validator && !validator.Check(input)) found.push(...schemaErrors(validator, input, op.input));
  }
  return found.length > 0 ? invalid(found) : null;
}

/** Whether something may be walked through at all. */
export const depthErrors = (input: unknown): FieldError[] =>
  deeperThan(input, bodyDepth) ? [{ path: "", message: `is nested deeper than ${bodyDepth} levels` }] : [];

const validatorsOfFields = createObjectCache<TObject, Validator>("fieldValidators");

/** The errors of fields that a surface adds to the operation's own, in the same words. */
export function fieldErrors(fields: TObject, given: Readonly<Record<string, unknown>>): FieldError[] {
  let validator = validatorsOfFields.get(fields);
  if (validator === undefined) validatorsOfFields.set(fields, (validator = Compile(fields)));
  return validator.Check(given) ? [] : schemaErrors(validator, given, fields);
}

export function invalid(found: readonly FieldError[]): AppError {
  const errors = found
    .slice(0, namedAtMost)
    .map((error) => ({ ...error, path: error.path.slice(0, shownOfName).toWellFormed() }));
  const [first] = errors;
  const detail = first === undefined ? "The request is not valid" : `${first.path || "The body"} ${first.message}`;
  return new AppError("invalid_request", errors.length > 1 ? `${detail}, and ${errors.length - 1} more` : detail, {
    errors,
  });
}

/** An identifier in the path that is no text at all is malformed like any other, and so only not found. */
const placeOf = (schema: TSchema | undefined, text: string): unknown =>
  isId(schema) ? text.replaceAll("\0", " ").toWellFormed() : coerce(schema, text);

/** Strings become numbers and booleans where the schema wants them: strict decimals, `true` and `false`. */
function coerce(schema: TSchema | undefined, text: string): unknown {
  const type = schema && "type" in schema ? schema.type : undefined;
  if (type === "integer" && /^(?:0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function schemaErrors(validator: Validator, input: unknown, schema: TSchema): FieldError[] {
  const errors = validator.Errors(input).flatMap((error): FieldError[] => {
    const at = error.instancePath.slice(1).replaceAll("/", ".");
    const inside = (name: string) => (at === "" ? name : `${at}.${name}`);
    const parameters = error.params as { requiredProperties?: string[]; allowedValues?: unknown[] };
    switch (error.keyword) {
      case "required":
        return (parameters.requiredProperties ?? []).map((name) => ({ path: inside(name), message: "is required" }));
      case "boolean":
        return [{ path: at, message: "is not a known field" }];
      case "additionalProperties":
        return [];
      case "enum":
        return [{ path: at, message: `must be one of ${(parameters.allowedValues ?? []).join(", ")}` }];
      case "pattern":
        return [{ path: at, message: wrongForm(schema, at) }];
      default:
        return [{ path: at, message: error.message }];
    }
  });
  return errors.length > 0 ? errors : [{ path: "", message: "has the wrong form" }];
}

/** With the form in the words of the field's description, where that is a pattern's. */
function wrongForm(schema: TSchema, at: string): string {
  let found: unknown = schema;
  for (const name of at.split("."))
    found = isRecord(found) ? (isRecord(found["properties"]) ? found["properties"][name] : found["items"]) : undefined;
  const words = isRecord(found) && "pattern" in found ? found["description"] : undefined;
  return typeof words === "string" ? `has the wrong form: ${lowerFirst(words)}` : "has the wrong form";
}

/** "SHA-256" stays as it is. */
const lowerFirst = (words: string): string =>
  /^\p{Lu}\p{Ll}/u.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // A body may be a million arrays, and to copy each takes twenty times as long as to look into it.
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => deeperThan(inner, levels - 1));
}

/** What the database can hold: well-formed Unicode without NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Collects the texts that PostgreSQL or a UTF-8 encoder would choke on. */
function malformedText(value: unknown, path: string, found: FieldError[]): void {
  if (found.length >= namedAtMost) return;
  if (typeof value === "string") {
    if (value.includes("\0")) found.push({ path, message: "must not contain NUL" });
    else if (!value.isWellFormed()) found.push({ path, message: "must be well-formed Unicode" });
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value))
      malformedText(inner, path === "" ? name : `${path}.${name}`, found);
  }
}

const isEmptyObject = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
