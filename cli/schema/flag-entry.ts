// One flag as programs read it. Knows no command.
import type { Flag, Flags } from "../flags/flags.ts";
import { negationOf } from "../flags/input-flags.ts";

/** What a value is: `list` is a,b or the flag repeated; `json` any JSON the entry's schema allows. */
export type FlagType = "boolean" | "string" | "integer" | "list" | "json";

/** Every flag but the noes: those stand with the flag they negate. */
export function flagEntries(flags: Flags) {
  return Object.entries(flags)
    .filter(([name]) => !(name.startsWith("no-") && name.slice(3) in flags))
    .map(([name, flag]) => flagEntry(name, flag, flags));
}

function flagEntry(name: string, flag: Flag, flags: Flags) {
  const negation = negationOf(name, flags);
  return {
    name: `--${name}`,
    type: typeOf(flag),
    required: flag.required ?? false,
    repeatable: flag.multiple ?? false,
    values: flag.values ?? null,
    default: flag.default ?? null,
    env: flag.env ?? null,
    valueHint: flag.valueHint ?? null,
    description: flag.description,
    field: flag.field ?? null,
    schema: flag.schema ?? null,
    ...(negation !== null && { negation: `--${negation}` }),
  };
}

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

function typeOf({ type, schema = {} }: Flag): FlagType {
  if (type === "boolean") return "boolean";
  const { anyOf }: Schema = schema;
  const plain: Schema = anyOf?.find((one) => one.type !== "null") ?? schema;
  if (plain.type === "array") return plain.items?.type === "object" ? "json" : "list";
  return plain.type === "integer" ? "integer" : plain.type === "object" ? "json" : "string";
}
