// Describes a tool for `tools/list`. It leaves out what a model can't use, above all patterns: the operation checks its
// complete input and reports the faults (docs/reference/contract.md §2).
import type { TSchema } from "typebox";

import type { Tool, ToolName } from "./tools.ts";

// The page that hosts of MCP Apps show beside a tool's result (api/mcp/app.html).
export const appUri = "ui://plinth/artifact";

const shown: ReadonlySet<ToolName> = new Set<ToolName>([
  "create_artifact",
  "update_artifact",
  "edit_artifact",
  "restore_artifact_version",
  "get_artifact_preview",
  "diff_artifact_versions",
]);

/** Whether the result of the tool is a page or a comparison, which a person wants to see. */
export const isShown = (name: ToolName): boolean => shown.has(name);

interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: false;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: "object" };
  readonly annotations: Annotations;
  readonly _meta?: { readonly ui: { readonly resourceUri: string } };
}

type JsonSchema = Readonly<Record<string, unknown>>;

export const definitionOf = (tool: Tool): ToolDefinition => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: { ...briefly(tool.input), type: "object", additionalProperties: false },
  annotations: annotationsOf(tool),
  ...(isShown(tool.name) && { _meta: { ui: { resourceUri: appUri } } }),
});

function annotationsOf({ operation: { effect }, destructive = effect === "delete", idempotent }: Tool): Annotations {
  if (effect === "read") return { readOnlyHint: true, openWorldHint: false };
  return {
    readOnlyHint: false,
    destructiveHint: destructive,
    idempotentHint: idempotent ?? effect === "delete",
    openWorldHint: false,
  };
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** Descriptions of input fields for a model, where the contract's description is for an author of a program. */
const meanings: Readonly<Record<string, string | null>> = {
  artifactId: "Id, URL or owner/project/slug",
  projectId: "Or owner/project",
  shareLinkId: null,
  email: null,
  item: null,
  author: "Username of its creator",
  actor: "Id of the actor or its user",
  sort: "Default: best with q, else updated",
  since: "Date or ISO time, from then",
  until: "The same, to its end",
  ownerUsername: "Username or team; yours if left out",
  projectSlug: null,
  slug: "a-z 0-9 and single hyphens",
  content: "The source text",
  contentSha256: "sha256 of an uploaded text",
  archiveSha256: "Of a zip with index.html or documentPath",
  changelog: "What changed, in a line",
  text: null,
  section: "Slug of a heading",
  grep: "Only lines with this text",
  outline: "Only the headings",
  startLine: null,
  endLine: null,
  cursor: "Of the page before",
  limit: "1 to 100, default 10",
  publicView: "Anyone can view",
  publicEdit: "Anyone signed in can publish versions",
  viewerEmails: "Who may view",
  q: null,
  upTo: "Start with this version",
  owner: "Username or team",
  files: "Uploaded files beside it; left out on an update they stay",
  sizeBytes: "The most bytes it takes",
  replaceAll: "Every place",
  path: null,
  sha256: null,
  documentPath: "Where the text stands among its files",
  sourcePath: "Path of its file in the folder, for links between documents",
  expiresAt: "Date or ISO time; never if left out",
  expiresInDays: "In place of expiresAt",
};

/** Enumerations too long to list: a wrong value is refused with all of them. */
const unlisted: Readonly<Record<string, string>> = { kind: "Such as access.updated" };

/** Alternatives stay as they are: clients pass inputs to models in dialects that have no list of types. */
function briefly(schema: TSchema, field = ""): JsonSchema {
  const { type, enum: values, description, properties, required, items, anyOf } = schema as Schema;
  // Left out it means what null does.
  if (anyOf !== undefined && field === "expiresAt") return { type: "string", description: meanings["expiresAt"] };
  if (anyOf !== undefined) return { anyOf: anyOf.map((each) => briefly(each)) };
  if (field in unlisted) return { type: "string", description: unlisted[field] };
  const meaning = field in meanings ? meanings[field] : description;
  return {
    ...(values === undefined ? type !== undefined && { type } : { type: "string", enum: values }),
    ...(meaning && { description: meaning }),
    ...(items !== undefined && { items: briefly(items, "item") }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, briefly(each, name)])),
    }),
    ...(required !== undefined && required.length > 0 && { required }),
  };
}
