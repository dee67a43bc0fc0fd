// Strips what a handler returned to the operation's output, so that a column cannot leak.
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";

import type { NamedOperation } from "./input.ts";

/** What the output schemas are made of, as far as stripping is concerned. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

type Strip = (value: unknown) => unknown;

interface Output {
  readonly strip: Strip;
  readonly validator: Validator;
}

const outputs = new Map<TSchema, Output>();

/**
 * Removes fields that the schema does not name. A value with its own media type is left to its encoder.
 * @throws where a field of the schema is missing or has another type
 */
export function strip(op: NamedOperation, value: unknown): unknown {
  if (op.media !== undefined) return value;
  let output = outputs.get(op.output);
  if (output === undefined)
    outputs.set(op.output, (output = { strip: stripOf(op.output), validator: Compile(op.output) }));
  const stripped = output.strip(value);
  if (!output.validator.Check(stripped)) {
    const [first] = output.validator.Errors(stripped);
    throw new Error(`${op.name} answered against its schema: ${first?.instancePath} ${first?.message}`);
  }
  return stripped;
}

/** Compiled once for a schema, because it runs on every answer; the library's function analyses the schema each time. */
function stripOf(shape: Shape): Strip {
  if (shape.properties !== undefined) return stripObject(shape.properties);
  if (shape.items !== undefined) {
    const item = stripOf(shape.items);
    return (value) => (Array.isArray(value) ? value.map(item) : value);
  }
  const inner = (shape.anyOf ?? []).map(stripOf).filter((each) => each !== asItIs);
  if (inner.length > 1) throw new Error("which of several shapes a value has, and so what to strip, can't be told");
  return inner[0] ?? asItIs;
}

const asItIs: Strip = (value) => value;

function stripObject(properties: Readonly<Record<string, Shape>>): Strip {
  const fields = Object.entries(properties).map(([name, shape]) => ({ name, strip: stripOf(shape) }));
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    const kept: Record<string, unknown> = {};
    for (const { name, strip } of fields) {
      const given = (value as Record<string, unknown>)[name];
      if (given !== undefined) kept[name] = strip(given);
    }
    return kept;
  };
}
