// `--field`: one member of a result, named by its way there (`artifact.url`, `versions.0.sha256`). A list that is met
// with a name is gone through: `versions.sha256` is that of each.

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const isPlace = (name: string): boolean => /^\d+$/.test(name);

/** The raw values, one a line: text as it is, anything else as JSON, an empty line where there is none. */
export function pickField(value: unknown, field: string): string {
  return valuesAt([value], field.split(".")).map(rawText).join("\n");
}

function valuesAt(values: readonly unknown[], [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [...values];
  const items = values.flatMap((value) => (Array.isArray(value) && !isPlace(name) ? (value as unknown[]) : [value]));
  return valuesAt(
    items.map((item) => memberOf(item, name)),
    rest,
  );
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

function rawText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The names there are where a field leads nowhere in the schema; null where it leads somewhere. */
export function unknownField(output: object, field: string): readonly string[] | null {
  let schemas = variants(output);
  for (const name of field.split(".")) {
    const met = isPlace(name)
      ? schemas
      : schemas.flatMap((schema) => (schema.items ? variants(schema.items) : [schema]));
    const next = met.flatMap(({ items, properties = {} }) => {
      if (isPlace(name) && items) return variants(items);
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return member ? variants(member) : [];
    });
    if (next.length === 0) return [...new Set(met.flatMap(({ properties = {} }) => Object.keys(properties)))];
    schemas = next;
  }
  return null;
}

/** A schema, or those it is one of. */
const variants = (schema: Schema): Schema[] => schema.anyOf?.flatMap(variants) ?? [schema];
