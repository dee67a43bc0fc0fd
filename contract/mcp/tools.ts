// The MCP tools: one for each operation that has a tool's name, with the descriptions by which a model chooses it and
// fills its fields. This is data: the API carries out the calls. Every client receives all of it, so keep it short.
import Type, { type TObject, type TProperties } from "typebox";

import type { Operation } from "../operation.ts";
import { registry, type OperationName, type Registry } from "../registry.ts";
import { Body } from "../schemas/shape.ts";

/** The operations with a tool. */
export type ToolOperation = {
  [Name in OperationName]: Registry[Name] extends { readonly mcp: object } ? Name : never;
}[OperationName];

export type ToolName = Registry[ToolOperation]["mcp"]["tool"];

interface Words {
  readonly title: string;
  /** The effect and when to use it, in the imperative. The example shows what the schema can't say. */
  readonly description: string;
  /** Fields with another name than in the operation: the tool's name, then the operation's. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Fields that the operation requires and the tool completes. */
  readonly completed?: readonly string[];
  /** Fields of the operation that the tool does not have. */
  readonly leftOut?: readonly string[];
  /** Fields that only the tool has. */
  readonly own?: TProperties;
  /** Whether the operation's output has more than the result's text; `detail: "detailed"` answers it as JSON. */
  readonly hasMore?: true;
  /** Set where the operation's effect does not tell. */
  readonly destructive?: boolean;
  readonly idempotent?: true;
}

/** Lines and columns, from 1. */
const counted = { minimum: 1, maximum: 2_147_483_647 };

const words: { readonly [Name in ToolOperation]: Words } = {
  "profile.get": {
    title: "Who am I",
    description: "Say who you act for, default workspace, plan, scopes.",
    hasMore: true,
  },
  "project.listMine": {
    title: "List projects",
    description: "List the projects you can publish in.",
    hasMore: true,
  },
  "project.create": {
    title: "Create a project",
    description: "Create a project to publish in. icon: an emoji.",
  },
  "project.update": {
    title: "Change a project",
    description: "Change a project's title, description, icon or slug. Former addresses redirect.",
    idempotent: true,
  },
  "project.move": {
    title: "Move a project",
    description: "Move a project to another workspace, whose members get access.",
    idempotent: true,
  },
  "project.delete": { title: "Delete a project", description: "Delete an empty project." },
  "artifact.create": {
    title: "Publish an artifact",
    description:
      "Publish text as a new artifact. type: md, html, or jsx (a React component, default " +
      "export). To change one use update_artifact or edit_artifact, or ifExists=update. A long text or a zipped " +
      "folder goes by create_upload. Example: " +
      '{"projectSlug":"reports","slug":"week-47","type":"md","title":"Week 47","content":"# Week 47",' +
      '"access":{"publicView":true,"publicEdit":false}}',
    own: {
      ifExists: Type.Optional(
        Type.Enum(["fail", "update", "return"], {
          description: "If the slug is taken: fail (default), publish as its next version, or return it",
        }),
      ),
    },
  },
  "artifact.list": {
    title: "Search artifacts",
    description:
      "Find artifacts by words (q) in title, description or text, best first. Without q list the last updated.",
    leftOut: ["withFavorite"],
    own: { deleted: Type.Optional(Type.Boolean({ description: "Instead, what you can undelete" })) },
    hasMore: true,
  },
  "artifact.get": {
    title: "Get an artifact",
    description: "Get an artifact's title, type, address, access and latest version number; not its text.",
    hasMore: true,
  },
  "artifact.preview": {
    title: "See how it is shown",
    description:
      "See how a version (the latest unless told) looks: its screenshot, errors, missing files, dead links. Use it after " +
      "publishing.",
    renamed: { versionNumber: "version" },
    own: {
      waitSeconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 30, description: "Wait for the screenshot, at most 30" }),
      ),
    },
  },
  "artifact.delete": {
    title: "Delete an artifact",
    description: "Delete an artifact with all its versions. undelete_artifact restores it for 30 days.",
  },
  "artifact.patch": {
    title: "Rename or move an artifact",
    description: "Change an artifact's title, description, slug or project; not its text. Former addresses redirect.",
    leftOut: ["sourcePath"],
    idempotent: true,
  },
  "artifact.undelete": {
    title: "Restore a deleted artifact",
    description: "Restore an artifact deleted in the last 30 days, with its share links.",
    idempotent: true,
  },
  "access.get": {
    title: "Get who may see it",
    description: "Get who may view and edit an artifact.",
  },
  "access.explain": {
    title: "Explain a person's access",
    description: "Explain whether the person with an email address can view or edit an artifact, and why.",
    hasMore: true,
  },
  "access.update": {
    title: "Set who may see it",
    description:
      "Set who may see an artifact, or all of a project: public or not, and whom to allow by email. What you leave out " +
      "stays as it is. Ask before making something public.",
    completed: ["artifactId", "publicView", "publicEdit", "viewerEmails"],
    own: {
      projectId: Type.Optional(Type.String()),
      dryRun: Type.Optional(Type.Boolean({ description: "Only say what would change" })),
    },
    destructive: true,
    idempotent: true,
  },
  "audit.list": {
    title: "List audit events",
    description: "List who did what to an artifact, or in the workspaces you administer, newest first.",
    hasMore: true,
  },
  "shareLink.create": {
    title: "Create a share link",
    description:
      'Create a link that opens one artifact to its holder. Its url is shown once. Example: {"artifactId":' +
      '"ada/reports/week-47","role":"viewer","expiresInDays":7}',
  },
  "shareLink.list": {
    title: "List share links",
    description: "List an artifact's share links, revoked and expired ones too.",
    hasMore: true,
  },
  "shareLink.revoke": {
    title: "Revoke a share link",
    description: "Revoke a share link at once, for good.",
    idempotent: true,
  },
  "upload.create": {
    title: "Get a URL to upload a file",
    description:
      "Get a URL for one PUT of a file (a long text, image, zip): " +
      "curl -T FILE 'URL' answers its sha256, to publish it by. " +
      "artifactId: where you may edit that artifact only.",
    leftOut: ["workspaceId"],
    own: { artifactId: Type.Optional(Type.String()) },
  },
  "version.create": {
    title: "Publish a new version",
    description:
      "Publish a new version with the whole new text; the address stays. For small changes edit_artifact is " +
      "cheaper. expectedLatestVersion refuses it if there is a newer version.",
  },
  "version.edit": {
    title: "Edit the latest version",
    description:
      "Publish a new version by exact replacements. Each oldText must occur exactly " +
      'once, or set replaceAll. Example: {"artifactId":"ada/reports/week-47","edits":[{"oldText":"Q3","newText":"Q4"}]}',
  },
  "version.list": {
    title: "List versions",
    description: "List an artifact's versions, newest first. With text: those that brought or removed a sentence.",
    leftOut: ["withArtifact", "named", "author", "withAuthors"],
    hasMore: true,
  },
  "version.content": {
    title: "Read the source text",
    description:
      "Read a version's source (the latest unless told), at most 40,000 characters a call. " +
      "Of a long text read the outline first, then a section.",
    renamed: { versionNumber: "version" },
    own: {
      startColumn: Type.Optional(
        Type.Integer({ ...counted, description: "Within the first line, if it is very long" }),
      ),
    },
  },
  "version.diff": {
    title: "Compare versions",
    description: "Show what changed between two versions, by lines.",
    renamed: { fromVersion: "from", toVersion: "to" },
  },
  "version.restore": {
    title: "Restore an old version",
    description: "Make an old version's text the new latest version; by default the one before the latest.",
    completed: ["versionNumber"],
  },
};

export interface Tool extends Omit<Words, "own" | "leftOut" | "completed"> {
  readonly name: ToolName;
  readonly operation: Operation & { readonly name: ToolOperation };
  /** The input: the operation's fields under the tool's names, and the fields that only the tool has. */
  readonly input: TObject;
  readonly own: TObject;
}

export const tools: readonly Tool[] = (Object.keys(words) as ToolOperation[]).map((name) => {
  const operation = registry[name];
  const { own: fields, leftOut: _, completed: __, ...rest } = words[name];
  const own = Body({ ...fields, ...(rest.hasMore && { detail: Type.Optional(Type.Enum(["concise", "detailed"])) }) });
  const input = Body({ ...renamedFields(operation, words[name]), ...own.properties });
  return { name: operation.mcp.tool, operation, input, own, ...rest };
});

const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);

/** The tool's name for a field of its operation. */
export function nameInTool({ renamed = {} }: Pick<Tool, "renamed">, field: string): string {
  return Object.keys(renamed).find((name) => renamed[name] === field) ?? field;
}

function renamedFields({ input }: Operation, { leftOut = [], completed = [], ...words }: Words): TProperties {
  return Object.fromEntries(
    Object.entries(input.properties)
      .filter(([field]) => !leftOut.includes(field))
      .map(([field, schema]) => [nameInTool(words, field), completed.includes(field) ? Type.Optional(schema) : schema]),
  );
}
