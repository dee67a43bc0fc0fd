// Examples of requests and answers, made from the schemas of the registry, so that they can't differ from it.
import { bodyFields, hasBody, pathFields, type Operation } from "@plinth/contract/operation";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";

type Json = Readonly<Record<string, unknown>>;

const id = (prefix: string, last: string): string => `${prefix}_${"01jx8m2v6q3r7k9d5n4w0c1h".padEnd(25, "0")}${last}`;

const actor = { type: "user", id: id("usr", "4"), label: "ada" };

/** Values by the name of the field. One that the schema refuses is not used. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  artifactId: [id("art", "a")],
  artifactCount: [8],
  actor: [actor],
  changedBy: [actor],
  changelog: ["Add Tuesday"],
  collection: ["reports"],
  content: ["# Week 47\n\nVisits rose by 12 %.\n"],
  createdBy: [actor],
  createdAt: ["2026-11-23T09:12:00.000Z"],
  cursor: ["eyJ2IjoxfQ"],
  day: ["2026-11-23"],
  description: ["Visits and sales of the week"],
  documentPath: ["week-47.md"],
  email: ["bo@example.com"],
  expectedLatestVersion: [1],
  expiresAt: ["2027-01-31T00:00:00.000Z"],
  from: [1],
  icon: ["📊"],
  label: ["Board meeting"],
  language: ["en"],
  latestBy: [actor],
  latestVersion: [2],
  lastFour: ["x7Qa"],
  name: ["Nightly reports"],
  newText: ["Q4"],
  oldText: ["Q3"],
  owner: ["ada"],
  ownerUsername: ["ada"],
  path: ["week-47.md"],
  projectSlug: ["reports"],
  publicEdit: [false],
  q: ["week 47"],
  requestId: ["0f6f2d0c9b7e4e5f"],
  scopes: [["artifacts:read", "artifacts:create", "artifacts:update"]],
  sha256: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
  sizeBytes: [5120],
  slug: ["week-47"],
  sourcePath: ["week-47.md"],
  title: ["Week 47"],
  to: [2],
  token: ["…"],
  type: ["md"],
  updatedAt: ["2026-11-24T08:03:00.000Z"],
  userId: [id("usr", "4")],
  username: ["ada"],
  version: [2],
  versionNumber: [2],
  viewerEmails: [["bo@example.com"]],
};

const ofOperations: Readonly<Record<string, Json>> = {
  "project.create": { slug: "reports", title: "Reports" },
  "workspace.create": { slug: "northwind", name: "Northwind" },
};

/** Fields of a body that are optional, but which most callers send. */
const usual: ReadonlySet<string> = new Set([
  "access",
  "changelog",
  "content",
  "expectedLatestVersion",
  "label",
  "title",
]);

/** An input that the operation accepts: what is required, and what most callers send. */
export function exampleInput(op: Operation): Json {
  const { properties, required = [] } = op.input as unknown as {
    properties: Record<string, TSchema>;
    required?: string[];
  };
  const isSent = hasBody(op);
  const names = Object.keys(properties).filter((name) => required.includes(name) || (isSent && usual.has(name)));
  if (isSent && !names.some((name) => bodyFields(op).includes(name))) names.push(...bodyFields(op).slice(0, 1));
  return Object.fromEntries(
    names.map((name) => [name, ofOperations[op.name]?.[name] ?? exampleOf(properties[name] ?? {}, name)]),
  );
}

/** An answer that the operation may give. */
export const exampleOutput = (op: Operation): unknown => exampleOf(op.output, "");

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly description?: string;
}

/** A value that the schema accepts, by the name of its field where that says more. */
export function exampleOf(schema: TSchema, name: string): unknown {
  const known = samples[name]?.find((value) => Value.Check(schema, value));
  if (known !== undefined) return known;
  const { const: literal, enum: values, anyOf, examples, properties, required = [], items, type } = schema as Schema;
  if (literal !== undefined) return literal;
  if (values !== undefined) return values[0];
  if (anyOf !== undefined) {
    const [some] = anyOf.filter((one) => (one as Schema).type !== "null");
    return some === undefined ? null : exampleOf(some, name);
  }
  if (examples?.[0] !== undefined) return examples[0];
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).flatMap(([field, inner]) =>
        required.includes(field) ? [[field, exampleOf(inner, field)]] : [],
      ),
    );
  if (type === "array") return items === undefined ? [] : [exampleOf(items, name.replace(/s$/, ""))];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Math.max((schema as Schema).minimum ?? 1, 1);
  if (type === "string") return textOf(schema, name);
  return type === "null" ? null : {};
}

const instance = "https://plinth.example.com";

/** The first text that the schema accepts. */
function textOf(schema: TSchema, name: string): string {
  const candidates = [
    ...(/url$/i.test(name) ? [`${instance}/ada/reports/week-47`] : []),
    ...(/at$/i.test(name) ? ["2026-11-24T08:03:00.000Z"] : []),
    name || "text",
    "2026-11-24T08:03:00.000Z",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "bo@example.com",
    "week-47",
    "week-47.md",
    "https://token.actions.githubusercontent.com",
  ];
  return candidates.find((text) => Value.Check(schema, text)) ?? "";
}

/** The path with its values, and the query of an operation without a body. */
export function exampleUrl(op: Operation, input: Json): string {
  const text = (value: unknown): string => encodeURIComponent(String(value));
  const path = op.path.replaceAll(/:(\w+)/g, (_, field: string) => text(input[field]));
  if (hasBody(op)) return path;
  const query = Object.keys(input)
    .filter((field) => !pathFields(op).includes(field))
    .map((field) => `${field}=${text(input[field])}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** The fields that travel in the body. */
export const exampleBody = (op: Operation, input: Json): Json =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !pathFields(op).includes(field)));
