// Invalid values for a field of an operation's input, by its schema. Each is text as in JSON or a URL, so that values
// no program would write are possible.
import { noteLength } from "@plinth/contract/limits";

/** The part of a schema that the stress tests read. */
export interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/** A schema as plain data. */
export const shapeOf = (schema: object): Shape => schema;

/** JSON texts that are never valid for the schema. */
export function wrongJson(shape: Shape): string[] {
  if (shape.anyOf) {
    const lists = shape.anyOf.map((member) => new Set(wrongJson(member)));
    return [...(lists[0] ?? [])].filter((text) => lists.every((list) => list.has(text)));
  }
  if (shape.enum) return ["null", "7", "true", "[]", "{}", '"no such value"', '""', ...unwritable];
  switch (shape.type) {
    case "string":
      return [
        ...["7", "true", "[]", "{}", '["x"]', '{"length":1}', "null"],
        ...unwritable,
        ...wrongLength(shape),
        ...wrongPattern(shape),
      ];
    case "integer":
      return [
        ...[
          "null",
          "true",
          '"1"',
          "1.5",
          "-1",
          ...zeroOf(shape),
          "1e400",
          "-1e400",
          "99999999999999999999",
          "2147483648",
        ],
        ...["1e-3", "[1]", "{}", '"\\u0000"'],
      ];
    case "boolean":
      return ["null", "0", "1", '"true"', "[]", "{}", '"\\u0000"', '"\\ud800"'];
    case "array":
      return ["null", "7", '"x"', "{}", '{"length":1}', "true", '"\\u0000"', ...wrongCount(shape)];
    case "null":
      return ["7", "true", "[]", "{}", '["x"]', '{"length":1}', ...unwritable, '"no such value"'];
    default:
      return ["null", "7", '"x"', "[]", "true", '"\\ud800"'];
  }
}

/** No integer of an input may be negative, and few may be zero. */
const zeroOf = ({ minimum }: Shape): string[] => (minimum === 0 ? [] : ["0"]);

/** Percent-encoded texts that are never valid in a query or a path, where every value is a string. */
export function wrongQuery(shape: Shape): string[] {
  const invalid = ["%00", "a%00b", "%FF", "%C3%28", "%ED%A0%80", "%F5%80%80%80"];
  if (shape.enum) return [...invalid, "nope", "%20"];
  if (shape.type === "integer") {
    const malformed = "1e3 0x10 %201 1%20 %2B5 5.0 -1 99999999999999999999 1_000 NaN Infinity %D9%A1".split(" ");
    return [...invalid, ...malformed, ...zeroOf(shape), ""];
  }
  if (shape.type === "boolean") return [...invalid, "yes", "TRUE", "2", ""];
  return [...invalid, ...(shape.maxLength === undefined ? [] : ["a".repeat(shape.maxLength + 1)])];
}

/** Not allowed in any text: NUL and halves of surrogate pairs, as JSON escapes. */
const unwritable = ['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '"\\udc00\\ud800"'];

function wrongLength(shape: Shape): string[] {
  const long =
    shape.maxLength === undefined ? [] : [quoted("a".repeat(shape.maxLength + 1)), quoted("𝒳".repeat(noteLength + 1))];
  return shape.minLength ? [...long, '""'] : long;
}

function wrongPattern(shape: Shape): string[] {
  if (shape.pattern === undefined) return [];
  // A malformed identifier is not invalid but not found (docs/reference/contract.md §2).
  if (/^\^[a-z]{3}_/.test(shape.pattern)) return [];
  const expression = new RegExp(shape.pattern, "u");
  return ["-", " ", "Ünïcode", "a b", "\t\n", "../..", "a--b", "\u202E", "a\n", "%2e%2e"]
    .filter((text) => !expression.test(text))
    .map(quoted);
}

function wrongCount(shape: Shape): string[] {
  const few = shape.minItems ? ["[]"] : [];
  return shape.maxItems === undefined ? few : [...few, `[${'"a"'.concat(',"a"'.repeat(shape.maxItems))}]`];
}

const quoted = (text: string): string => JSON.stringify(text);
