// The pages of the REST API: one for each resource of the registry, with its operations.
import { errorsOf } from "@plinth/contract/operation-errors";
import { hasBody, successStatus, type Operation } from "@plinth/contract/operation";
import { describedOperations, openApi } from "@plinth/contract/openapi";
import { tagWords } from "@plinth/contract/openapi/field-words";

import type { SourcePage } from "./contents.ts";
import { groupOf, heading as commandHeading } from "./command-pages.ts";
import { exampleBody, exampleInput, exampleOutput, exampleUrl } from "./example.ts";

/** The resources in reading order. A new one needs a title here. */
const titles: Readonly<Record<string, string>> = {
  artifact: "Artifacts",
  version: "Versions",
  access: "Access",
  shareLink: "Share links",
  project: "Projects",
  file: "Files",
  upload: "Uploads",
  workspace: "Workspaces",
  member: "Members",
  invitation: "Invitations",
  profile: "Profile",
  apiKey: "API keys",
  agent: "Agents",
  session: "Sessions",
  mcp: "MCP connections",
  favorite: "Favorites",
  recent: "Recently viewed",
  audit: "Audit log",
  billing: "Billing",
  health: "Health",
  operator: "Operator",
};

const instance = "https://plinth.example.com";
const document = openApi({ version: "", publicUrl: instance });

const tagOf = (op: Operation): string => op.name.split(".")[0] ?? op.name;
const pathOf = (tag: string): string => `rest/${tag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Every resource's page. @throws Error where a resource has no title */
export function restPages(): SourcePage[] {
  const byTag = Map.groupBy(describedOperations, tagOf);
  const unknown = [...byTag.keys()].filter((tag) => titles[tag] === undefined);
  if (unknown.length > 0) throw new Error(`No title in rest-pages.ts: ${unknown.join(", ")}`);
  return Object.entries(titles).flatMap(([tag, title]) => {
    const operations = byTag.get(tag);
    if (operations === undefined) return [];
    return [{ path: pathOf(tag), label: title, isOfInstance: true as const, markdown: page(tag, title, operations) }];
  });
}

/** The URL of an operation in the documentation. */
export const operationUrl = (op: Operation): string => `/docs/${pathOf(tagOf(op))}#${anchor(op.summary)}`;

const anchor = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");

const page = (tag: string, title: string, operations: readonly Operation[]): string =>
  [
    `# ${title}`,
    `${tagWords[tag] ?? title}. Every operation has its fields, a request, an answer and its errors.`,
    ...operations.map(section),
  ].join("\n\n");

function section(op: Operation): string {
  const { description } = described(op);
  const parameters = parameterRows(op);
  const codes = errorsOf(op).map((code) => `[\`${code}\`](/docs/errors/${code})`);
  return [
    `## ${op.summary}`,
    `\`${op.method} ${op.path}\``,
    description,
    ...(parameters.length > 0 ? [table(["Field", "In", "Type", "Meaning"], parameters)] : []),
    fence("sh", curl(op)),
    ...answer(op),
    `Errors: ${codes.join(", ")}.`,
    ...elsewhere(op),
  ].join("\n\n");
}

function elsewhere(op: Operation): string[] {
  const forms = [
    ...(op.cli === undefined
      ? []
      : [
          `[\`plinth ${op.cli.command}\`](/docs/${groupOf(op.cli.command)}#${anchor(commandHeading(op.cli.command))}) on the command line`,
        ]),
    ...(op.mcp === undefined ? [] : [`[\`${op.mcp.tool}\`](/docs/mcp#${op.mcp.tool}) over MCP`]),
  ];
  return forms.length === 0 ? [] : [`Also ${forms.join(" and ")}.`];
}

interface Described {
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const described = (op: Operation): Described =>
  document.paths[op.path.replaceAll(/:(\w+)/g, "{$1}")]?.[op.method.toLowerCase()] as Described;

function resolve<Kind extends { readonly $ref?: string }>(value: Kind): Kind {
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(\w+)$/.exec(value.$ref ?? "") ?? [];
  if (name === "") return value;
  const components = document.components as unknown as Record<string, Record<string, Kind>>;
  return components[kind]?.[name] ?? value;
}

function parameterRows(op: Operation): string[][] {
  const { parameters, requestBody } = described(op);
  const body = resolve(requestBody?.content["application/json"]?.schema ?? {});
  return [
    ...parameters
      .map(resolve)
      .map(({ name, in: place, required, description, schema }) => [
        `\`${name}\`${required ? " (required)" : ""}`,
        place,
        typeOf(schema),
        description ?? "",
      ]),
    ...Object.entries(body.properties ?? {}).map(([name, schema]) => [
      `\`${name}\`${body.required?.includes(name) ? " (required)" : ""}`,
      "body",
      typeOf(schema),
      schema.description ?? resolve(schema).description ?? "",
    ]),
  ];
}

function typeOf(given: Schema): string {
  const { type, enum: values, const: literal, anyOf, oneOf, items, properties } = resolve(given);
  if (values !== undefined && values.length <= 8) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (literal !== undefined) return `\`${JSON.stringify(literal)}\``;
  const some = anyOf ?? oneOf;
  if (some !== undefined) return some.map(typeOf).join(" or ");
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (properties !== undefined) return "object";
  return [type ?? "any"].flat().join(" or ");
}

/** The request as curl sends it. */
export function curl(op: Operation): string {
  const input = exampleInput(op);
  const url = `${instance}${exampleUrl(op, input)}`;
  const token = op.caller === "operator" ? "$OPERATOR_TOKEN" : "$SERVICE_TOKEN";
  const needsToken = op.caller !== "anyone" || op.scope !== null;
  const method = op.takes === "file" ? "" : op.method === "GET" ? "" : `-X ${op.method} `;
  const isBinary = op.media === "thumbnail" || op.media === "archive" || op.media === "file";
  return [
    `curl ${method}${/[?&%]/.test(url) ? `'${url}'` : url}`,
    ...(needsToken ? [`-H "authorization: Bearer ${token}"`] : []),
    ...(op.takes === "file" ? ["-T week-47.png"] : []),
    ...(isBinary
      ? [op.media === "archive" ? "-o week-47.zip" : op.media === "file" ? "-o image.png" : "-o week-47.webp"]
      : []),
    ...(hasBody(op)
      ? [
          "-H 'content-type: application/json'",
          `-d '${JSON.stringify(exampleBody(op, input), null, 2).replaceAll("'", "'\\''")}'`,
        ]
      : []),
  ].join(" \\\n  ");
}

function answer(op: Operation): string[] {
  const status = successStatus(op);
  if (status === 204) return ["Answers `204` without a body."];
  if (op.media === "source") return ["Answers `200` with the source text."];
  if (op.media === "events") return ["Answers `200` with a stream of server-sent events."];
  if (op.media === "thumbnail" || op.media === "archive" || op.media === "file")
    return ["Answers `200` with the bytes of the file."];
  return [`Answers \`${status}\`:`, fence("json", JSON.stringify(exampleOutput(op), null, 2))];
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(" | ")} |`).join("\n");
