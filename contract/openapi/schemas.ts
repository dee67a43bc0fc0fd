// The schemas of OpenAPI: every resource by its name, and everything else written for code generators (types of enums,
// formats of times and URLs). It reads the contract's schemas and changes none of them.
import { isRecord } from "@plinth/platform/malformed";

import * as account from "../schemas/account.ts";
import * as actor from "../schemas/actor.ts";
import * as artifact from "../schemas/artifact.ts";
import * as atAddress from "../schemas/at-address.ts";
import * as audit from "../schemas/audit.ts";
import * as billing from "../schemas/billing.ts";
import * as file from "../schemas/file.ts";
import * as instance from "../schemas/instance.ts";
import * as packages from "../schemas/package.ts";
import * as project from "../schemas/project.ts";
import * as shareLink from "../schemas/share-link.ts";
import * as text from "../schemas/text.ts";

export type Json = Record<string, unknown>;

export const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const { pattern: timePattern } = text.Time as object as Json;
const { description: urlWords } = text.Url as object as Json;

/** Resources extend another one where they have all of its members, and it has at least so many. */
const extendedMembers = 6;

/** The kinds of text that have a name; of the others a reader learns more from the schema itself. */
const namedTexts: ReadonlySet<string> = new Set(["Slug", "Username", "Email"]);

/** Every resource under the name of its schema in `contract/schemas`, the smallest first: the others refer to it. */
const exported = Object.entries({
  ...account,
  ...actor,
  ...artifact,
  ...atAddress,
  ...audit,
  ...billing,
  ...file,
  ...instance,
  ...packages,
  ...project,
  ...shareLink,
  ...Object.fromEntries(Object.entries(text).filter(([name]) => name.endsWith("Id") || namedTexts.has(name))),
})
  .flatMap(([name, schema]: [string, unknown]) => (/^[A-Z]/.test(name) && isRecord(schema) ? [{ name, schema }] : []))
  .filter(({ schema }) => ["type", "enum", "anyOf"].some((keyword) => keyword in schema))
  .map(({ name, schema }) => ({ name, schema, length: JSON.stringify(schema).length }))
  .toSorted((one, other) => one.length - other.length);

/** The schemas of one description: converts each, and keeps those that were referred to. */
export class Schemas {
  readonly #names = new Map<object, string>();
  readonly #byText = new Map<string, string>();
  readonly #components = new Map<string, Json>();
  readonly #used = new Set<string>();

  constructor(also: Readonly<Record<string, Json>>) {
    for (const { name, schema } of exported) this.#add(name, schema);
    for (const [name, schema] of Object.entries(also)) this.#add(name, schema);
  }

  #add(name: string, schema: Json): void {
    const component = this.#extending(this.#converted(schema));
    this.#components.set(name, component);
    this.#names.set(schema, name);
    const key = JSON.stringify(component);
    if (!this.#byText.has(key)) this.#byText.set(key, name);
  }

  /** The schema for OpenAPI: a reference where it is a resource's. */
  of(schema: object): Json {
    return this.#marked(this.#of(schema));
  }

  /** The components that are used, in the order of their names. */
  components(): Record<string, Json> {
    const done = new Set<string>();
    for (let size = -1; size < done.size;) {
      size = done.size;
      for (const name of [...this.#used].filter((used) => !done.has(used))) {
        done.add(name);
        this.#marked(this.#components.get(name) ?? {});
      }
    }
    return Object.fromEntries([...done].toSorted().map((name) => [name, this.#components.get(name) ?? {}]));
  }

  #marked(schema: Json): Json {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      this.#used.add(name);
    return schema;
  }

  #of(schema: object): Json {
    const named = this.#names.get(schema);
    if (named !== undefined) return refTo("schemas", named);
    const converted = this.#extending(this.#converted(schema as Json));
    const name = this.#byText.get(JSON.stringify(converted)) ?? this.#list(converted);
    return name === undefined ? converted : refTo("schemas", name);
  }

  /** A page of a list is named after what is in it. */
  #list(schema: Json): string | undefined {
    const { properties } = schema;
    if (!isRecord(properties) || !("nextCursor" in properties) || Object.keys(properties).length !== 2) return;
    const [items] = Object.values(properties).map((property) => (property as Json)["items"]);
    const item = isRecord(items) ? /\w+$/.exec(String(items["$ref"]))?.[0] : undefined;
    if (item === undefined) return;
    this.#components.set(`${item}List`, schema);
    this.#byText.set(JSON.stringify(schema), `${item}List`);
    return `${item}List`;
  }

  #converted(schema: Json): Json {
    if (Array.isArray(schema["anyOf"])) return this.#union(schema, schema["anyOf"] as Json[]);
    const { examples: _, ...kept } = schema;
    if (Array.isArray(kept["enum"]) && kept["type"] === undefined) return { type: "string", ...kept };
    if (isRecord(kept["properties"]))
      kept["properties"] = Object.fromEntries(
        Object.entries(kept["properties"]).map(([name, property]) => [
          name,
          withFormat(name, this.#of(property as Json)),
        ]),
      );
    if (isRecord(kept["items"])) kept["items"] = this.#of(kept["items"]);
    if (kept["type"] !== "string") return kept;
    if (kept["pattern"] === timePattern) return { type: "string", format: "date-time" };
    return kept;
  }

  /** A type that can be null is one type, except where it is a reference. */
  #union(schema: Json, members: Json[]): Json {
    const { anyOf: _, ...kept } = schema;
    const converted = members.map((member) => this.#of(member));
    const [only, ...others] = converted.filter((member) => member["type"] !== "null");
    const isOne = only !== undefined && others.length === 0 && typeof only["type"] === "string";
    if (!isOne) return { anyOf: converted, ...kept };
    const values = only["enum"];
    return {
      ...only,
      ...kept,
      type: [only["type"], "null"],
      ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    };
  }

  /** A resource with further members is the resource and these. */
  #extending(schema: Json): Json {
    const properties = schema["properties"];
    if (!isRecord(properties) || schema["additionalProperties"] === false) return schema;
    const [name, base] = [...this.#components].findLast(([, component]) => isExtendedBy(component, schema)) ?? [];
    if (name === undefined || base === undefined) return schema;
    const own = Object.entries(properties).filter(([field]) => !(field in (base["properties"] as Json)));
    if (own.length === 0) return schema;
    const required = ((schema["required"] ?? []) as string[]).filter((field) => own.some(([known]) => known === field));
    const { type: _, required: __, properties: ___, ...kept } = schema;
    const further = { type: "object", ...(required.length > 0 && { required }), properties: Object.fromEntries(own) };
    return { allOf: [refTo("schemas", name), further], ...kept };
  }
}

/** The contract's absolute URLs are in fields that say so. */
function withFormat(name: string, schema: Json): Json {
  if (!/^url$|Url$/.test(name) || ![schema["type"]].flat().includes("string")) return schema;
  const { description, ...kept } = schema;
  return { ...kept, format: "uri", ...(description !== urlWords && { description }) };
}

function isExtendedBy(base: Json, schema: Json): boolean {
  const [fields, wider] = [base["properties"], schema["properties"]];
  if (!isRecord(fields) || !isRecord(wider) || base["additionalProperties"] === false) return false;
  const names = Object.keys(fields);
  const required = new Set((schema["required"] ?? []) as string[]);
  const requiredOfBase = new Set((base["required"] ?? []) as string[]);
  return (
    names.length >= extendedMembers &&
    names.every(
      (name) =>
        JSON.stringify(fields[name]) === JSON.stringify(wider[name]) && required.has(name) === requiredOfBase.has(name),
    )
  );
}
