// The flags of an operation, from the schema of its input, and the way back from flags to the input.
// Knows no operation in particular.
import { addressesIn } from "@plinth/contract/addresses-in";
import { flagName } from "@plinth/contract/flag-name";
import { hasBody, pathFields, type Operation } from "@plinth/contract/operation";

import { usage } from "../failure/failure.ts";
import type { Flag, Flags } from "./flags.ts";
import { readEnd, readPast } from "./given-time.ts";

/** The part of JSON Schema that inputs are made of. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

/** The flag that says no to one that says yes; null where there is none. */
export const negationOf = (name: string, flags: Flags): string | null => (`no-${name}` in flags ? `no-${name}` : null);

/** Whether the flag is the no of another one. */
export const isNegation = (name: string, flags: Flags): boolean => name.startsWith("no-") && name.slice(3) in flags;

/** What people write in place of a field's name, which is taken too. */
const shortNames: Readonly<Record<string, string>> = { expiresAt: "expires" };

/** Differences of a command from its operation. */
interface FlagOverrides {
  readonly omit?: readonly string[];
  readonly alsoRequired?: readonly string[];
  readonly optional?: readonly string[];
  readonly flags?: Readonly<Record<string, Partial<Flag>>>;
}

/** One flag for each field; a yes-or-no field of a body also has its `--no-` form. */
export function inputFlags(
  op: Operation,
  { omit = [], alsoRequired = [], optional = [], flags: own = {} }: FlagOverrides = {},
): Flags {
  const required = new Set<string>([...(op.input.required ?? []), ...alsoRequired]);
  const inPath = new Set(pathFields(op));
  const flags: Record<string, Flag> = {};
  for (const [field, schema] of Object.entries(op.input.properties)) {
    if (omit.includes(field)) continue;
    const name = shortNames[field] ?? flagName(field);
    flags[name] = {
      ...flagOf(schema, field, inPath.has(field)),
      ...own[field],
      ...valueOf(schema),
      field,
      ...(required.has(field) && !optional.includes(field) && { required: true }),
    };
    if (name !== flagName(field)) {
      const description = `The same as --${name}`;
      flags[flagName(field)] = { ...flags[name], description, sameAs: name };
    }
    if (flags[name].type === "boolean" && hasBody(op)) {
      flags[`no-${name}`] = { type: "boolean", description: `The opposite of --${name}`, field };
    }
  }
  return flags;
}

/** The fields that flags give; the flags of other things are left out. */
export function givenFields(flags: Flags, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const givenBy = new Map<string, string>();
  for (const [name, { field, type }] of Object.entries(flags)) {
    if (field === undefined || values[name] === undefined) continue;
    const other = givenBy.get(field);
    if (other !== undefined) throw usage(`--${other} and --${name} exclude each other`);
    givenBy.set(field, name);
    fields[field] = type === "boolean" ? !name.startsWith("no-") : values[name];
  }
  return fields;
}

/** What programs are told of the value; the words are the flag's. */
function valueOf({ description: _words, default: standard, ...schema }: Schema): Pick<Flag, "schema" | "default"> {
  if (schema.type === "boolean") return {};
  return { schema, ...(standard !== undefined && { default: standard }) };
}

function flagOf(schema: Schema, field: string, inPath: boolean): Flag {
  const nullable = schema.anyOf?.some(({ type }) => type === "null") ?? false;
  const plain = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const description = describe(plain, field, nullable);
  if (plain.type === "boolean") return { type: "boolean", description };
  const valueHint = flagWords[field]?.valueHint ?? hintOf(plain, field);
  const flag = { type: "string", description, valueHint } as const;
  if (plain.enum) {
    const values = plain.enum.map(String);
    return { ...flag, values, ...(plain.type === "integer" && { read: (text: string) => readNumber(text, values) }) };
  }
  // How much of a list is a matter of pages: the command knows whether it follows them.
  if (field === "limit") return { ...flag, read: (text) => readInteger(text, { minimum: 1 }) };
  if (plain.type === "integer") return { ...flag, read: (text) => readInteger(text, plain) };
  if (field === "viewerEmails")
    return {
      ...{ ...flag, multiple: true },
      description: `${description}; none for none`,
      read: (text) => (text === "none" ? [] : readAddresses(text)),
    };
  if (plain.type === "array" && plain.items?.type !== "object") {
    const members = plain.items?.enum?.map(String);
    const mayBeEmpty = (plain.minItems ?? 0) === 0;
    return {
      ...flag,
      multiple: true,
      ...(members && { values: members, description: `${description}: ${members.join(", ")}` }),
      ...(mayBeEmpty && { description: `${description}; none for none` }),
      read: (text) => (mayBeEmpty && text === "none" ? [] : readList(text, members, mayBeEmpty)),
    };
  }
  if (plain.type === "object" || plain.type === "array") return { ...flag, read: readJson };
  if (field === "artifactId") return { ...flag, ...artifactFlag };
  if (field === "projectId") return { ...flag, ...projectFlag };
  if (field === "expiresAt") return { ...flag, ...endFlag };
  if (field === "since" || field === "until") return { ...flag, ...pastFlags[field] };
  if (nullable) return { ...flag, read: (text) => (text === "none" ? null : text) };
  return inPath ? { ...flag, read: readPathName } : flag;
}

/** An artifact is called by any of its names; artifact-name.ts makes the identifier of them. */
export const artifactFlag = {
  valueHint: "id",
  description: "Identifier or address of the artifact, or owner/project/slug",
  read: readPathName,
} as const;

/** The same of a project. */
const projectFlag = { valueHint: "id", description: "Identifier or address of the project, or owner/project" } as const;

const endFlag = {
  valueHint: "time",
  description: "When it ends: a date (to its end), friday, 7d, or a time in ISO 8601; none for never",
  read: (text: string) => readEnd(text),
} as const;

const pastFlag = { valueHint: "time", read: (text: string) => readPast(text) } as const;
const pastFlags = {
  since: { ...pastFlag, description: "Only from then on: a date, friday, 7d, or a time in ISO 8601" },
  until: { ...pastFlag, description: "Only before then: a date (to its end), friday, 7d, or a time in ISO 8601" },
} as const;

function describe(schema: Schema, field: string, nullable: boolean): string {
  const words =
    flagWords[field]?.description ??
    schema.description ??
    field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const text = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (schema.default !== undefined) return `${text} (${JSON.stringify(schema.default)})`;
  return nullable ? text.replace(/; null for none|$/, "; none for none") : text;
}

function hintOf(schema: Schema, field: string): string {
  if (schema.enum) return schema.enum.join("|");
  if (schema.type === "integer") return "n";
  if (schema.type === "array") return schema.items?.type === "object" ? "json" : "a,b";
  if (schema.type === "object") return "json";
  if (field.endsWith("Id")) return "id";
  return "text";
}

function readInteger(text: string, { minimum, maximum }: Schema): number {
  if (!/^(0|[1-9]\d{0,9})$/.test(text)) throw new Error("must be a whole number");
  const value = Number(text);
  if (minimum !== undefined && value < minimum) throw new Error(`must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) throw new Error(`must be at most ${maximum}`);
  return value;
}

function readNumber(text: string, values: readonly string[]): number {
  if (!values.includes(text)) throw new Error(`must be one of ${values.join(", ")}`);
  return Number(text);
}

function readList(text: string, members: readonly string[] | undefined, mayBeEmpty: boolean): string[] {
  const list = text.split(",").map((member) => member.trim());
  if (list.includes("")) throw new Error(`holds an empty member; write a,b${mayBeEmpty ? " or none" : ""}`);
  if (members && !list.every((member) => members.includes(member))) throw new Error(`takes only ${members.join(", ")}`);
  return list;
}

function readAddresses(text: string): string[] {
  const addresses = addressesIn(text);
  if (addresses.length === 0) throw new Error("holds no address; write a@example.org,b@example.org or none");
  return addresses;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error("must be JSON", { cause: error });
  }
}

/** An empty name or one of dots would make the address another one. @throws Error */
export function readPathName(text: unknown): string {
  if (typeof text !== "string" || !text.isWellFormed()) throw new Error("must be text");
  if (text === "") throw new Error("must not be empty");
  if (text === "." || text === "..") throw new Error("must be a name");
  return text;
}

type Words = Pick<Flag, "description"> & Partial<Pick<Flag, "valueHint">>;

const flagWords: Readonly<Record<string, Words>> = {
  owner: { description: "Account it is published under: a username or a workspace's slug", valueHint: "name" },
  ownerUsername: { description: "Account to publish under (the token's own)", valueHint: "name" },
  projectSlug: { description: "Project, by the slug in its address", valueHint: "slug" },
  slug: { description: "Slug: lower-case letters and digits, single hyphens between", valueHint: "slug" },
  username: { description: "Username: lower-case letters and digits, single hyphens between", valueHint: "name" },
  type: { description: "What the source is" },
  title: { description: "Title, at most 200 characters" },
  description: { description: "A sentence or two on what it is" },
  changelog: { description: "Note for this version" },
  access: { description: "Who may see and edit it: {publicView, publicEdit, viewerEmails?}" },
  visibility: { description: "Only those that anyone, or not everyone, may see" },
  cursor: { description: "Where to go on: nextCursor of the page before" },
  publicEdit: { description: "Anyone signed in may publish versions; needs --public-view" },
  email: { description: "Email address", valueHint: "address" },
  expectedLatestVersion: { description: "Publish only if this is still the latest version" },
  version: { description: "Which version (the latest)" },
  versionNumber: { description: "Which version" },
  size: { description: "How wide, in pixels (1200)" },
  from: { description: "The older version" },
  to: { description: "The newer version" },
  icon: { description: "An emoji, or up to 8 characters" },
  name: { description: "Name to show" },
  role: { description: "What they may do" },
  plan: { description: "What the account's holder may use" },
  emailVerified: { description: "The address is known to be theirs (yes)" },
};
