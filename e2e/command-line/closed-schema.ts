// Makes a schema of the catalogue strict: an additional member is a fault. The API can grow, but a client's catalogue
// and the instance beside it must agree.

/** The schema with every object closed that does not mention additional members. */
export const closed = (schema: object): object => closedPart(schema) as object;

function closedPart(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedPart);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => [
      keyword,
      keyword === "properties" || keyword === "$defs"
        ? members(value)
        : keyword === "enum" || keyword === "const" || keyword === "examples"
          ? value
          : closedPart(value),
    ]),
  );
  return "properties" in inner && !("additionalProperties" in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

const members = (properties: unknown): unknown =>
  Object.fromEntries(Object.entries(properties as object).map(([name, schema]) => [name, closedPart(schema)]));
