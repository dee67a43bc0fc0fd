// `--field`: one member of a result, named by its way there (`artifact.url`, `versions.0.sha256`).

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The raw value: text as it is, anything else as JSON, nothing where there is none. */
export function pick(value: unknown, field: string): string {
  let found = value;
  for (const name of field.split(".")) {
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Record<string, unknown>)[name]
        : undefined;
  }
  if (found === undefined || found === null) return "";
  return typeof found === "string" ? found : JSON.stringify(found);
}

/** The names there are where a field leads nowhere in the schema; null where it leads somewhere. */
export function unknownField(output: object, field: string): readonly string[] | null {
  let schema: Schema = output;
  for (const name of field.split(".")) {
    const plain: Schema = schema.anyOf?.find((one) => one.properties ?? one.items) ?? schema;
    const next = /^\d+$/.test(name)
      ? plain.items
      : plain.properties && Object.hasOwn(plain.properties, name)
        ? plain.properties[name]
        : undefined;
    if (next === undefined) return Object.keys(plain.properties ?? {});
    schema = next;
  }
  return null;
}
