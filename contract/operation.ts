// What an operation is: one description from which REST, MCP, the command line, OpenAPI and the
// authorization matrix are made. Data only; how it is done lives in the domain.
import type { Static, TObject, TSchema } from "typebox";

import type { ErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

export type ArtifactPermission = "read" | "update" | "share" | "manageAccess" | "audit" | "delete" | "undelete";
export type ProjectPermission = "see" | "publish" | "edit" | "delete" | "move";
export type WorkspacePermission = "see" | "createProject" | "manageMembers" | "audit" | "billing";

/**
 * What `invoke` loads for the handler and which permission it takes. The input's fields say which one:
 * `artifactId`; `owner`, `projectSlug`, `slug`; `shareLinkId`; `projectId`; `workspaceId`; `invitationId`; or, for
 * `account`, for `project` without an identifier and for `idOrOwn` without one, the owner given or inferred from the
 * credential (docs/reference/contract.md §3, "Artifact").
 */
export type Resource =
  | (Hidden & {
      readonly artifact: ArtifactPermission;
      readonly by: "id" | "path" | "shareLink";
      readonly version?: true;
    })
  /** The artifact of that identifier where one is given, else none. */
  | (Hidden & { readonly artifact: ArtifactPermission; readonly by: "id"; readonly optional: true })
  | (Hidden & { readonly artifact: ArtifactPermission; readonly by: "id"; readonly version: "source" })
  /** The artifact with the picture of its head, or of the version that the input names. */
  | (Hidden & { readonly artifact: ArtifactPermission; readonly by: "id"; readonly picture: true })
  | (Hidden & { readonly project: ProjectPermission; readonly by: "id" | "path" | "owner" | "workspace" })
  | (Hidden & { readonly workspace: WorkspacePermission; readonly by: "id" | "idOrOwn" | "owner" | "invitation" })
  | null;

interface Hidden {
  /** Whoever may not do this is told that nothing is there, even where they may see the resource. */
  readonly hidden?: true;
}

export interface Operation<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Names after a colon are fields of the input and travel in the path. */
  readonly path: `/api/${string}`;
  /** `anyone` may come without a credential; `operator` answers 404 to everybody else. */
  readonly caller: "anyone" | "authenticated" | "operator";
  /** What a key or token must hold; null where any valid credential will do. */
  readonly scope: Scope | null;
  /** Further scopes, all needed. */
  readonly alsoScopes?: readonly Scope[];
  /**
   * Only a person's own session may do this; with `login` also a login token that holds `agents:manage`
   * (docs/reference/contract.md §5). Keys never mint keys and never reach billing.
   */
  readonly credential?: "session" | "login";
  readonly resource: Resource;
  readonly effect: "read" | "create" | "update" | "delete";
  /** Where it is not what the effect says: 200 read and update, 201 create, 204 delete. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly input: Input;
  readonly output: Output;
  readonly errors: readonly ErrorCode[];
  /** Takes `?dryRun=true`: every check, nothing written (docs/reference/contract.md §4). */
  readonly dryRun?: true;
  /** The answer is in a media type of its own rather than JSON: bytes, or server-sent events that go on. */
  readonly media?: "source" | "diff" | "events" | "thumbnail";
  /** The answer has an ETag and is revalidated rather than sent again (docs/reference/contract.md §2). */
  readonly etag?: true;
  /** Members of the answer shown once, and so never kept for a replay. */
  readonly secrets?: readonly string[];
  readonly mcp?: { readonly tool: string };
  readonly cli?: CommandName;
}

/** How an operation is called on the command line. */
export interface CommandName {
  readonly command: string;
  /** Other words for the same. */
  readonly aliases?: readonly string[];
  readonly examples?: readonly string[];
  /**
   * Deleting takes `--yes`; this one does not: taking back a credential or an invitation loses nothing that cannot
   * be made again, and must be quick.
   */
  readonly unconfirmed?: true;
}

export type InputOf<Op extends Operation> = Static<Op["input"]>;
export type OutputOf<Op extends Operation> = Static<Op["output"]>;

/** Keeps the literal types of a description. */
export const operation = <const Op extends Operation>(description: Op): Op => description;

/** The status of success without a dry run. */
export function successStatus(op: Operation): number {
  return op.status ?? { read: 200, update: 200, create: 201, delete: 204 }[op.effect];
}

/** What a key or token must hold, all of it; nothing where any valid credential will do. */
export const scopesOf = ({ scope, alsoScopes = [] }: Pick<Operation, "scope" | "alsoScopes">): readonly Scope[] =>
  scope === null ? [] : [scope, ...alsoScopes];

interface Fields {
  readonly path: readonly string[];
  readonly body: readonly string[];
}

/** Read from the descriptions once: every request asks. */
const fields = new WeakMap<Operation, Fields>();

function fieldsOf(op: Operation): Fields {
  const known = fields.get(op);
  if (known !== undefined) return known;
  const path = [...op.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const read = { path, body: Object.keys(op.input.properties).filter((field) => !path.includes(field)) };
  fields.set(op, read);
  return read;
}

/** What a share link can let its holder do with its artifact (docs/reference/contract.md §5); an `editor` link both. */
export const linkPermissions = ["read", "update"] as const satisfies readonly ArtifactPermission[];

/** Whether a share token can make a difference: to one artifact, or to what a list shows. */
export function takesShareToken({ resource, scope, effect }: Operation): boolean {
  if (resource === null) return effect === "read" && (scope === "artifacts:read" || scope === null);
  if ("project" in resource) return resource.project === "see";
  return "artifact" in resource && linkPermissions.some((permission) => permission === resource.artifact);
}

/** The names of the input's fields that travel in the path, in order. */
export const pathFields = (op: Operation): readonly string[] => fieldsOf(op).path;

/** The names of the input's fields that are not in the path. */
export const bodyFields = (op: Operation): readonly string[] => fieldsOf(op).body;

/** Fields of a body that hold a whole text, or parts of one. */
const contentFields: ReadonlySet<string> = new Set(["content", "edits"]);

/** Whether the body may be as long as content is; no other field is long. */
export const carriesContent = (op: Operation): boolean => bodyFields(op).some((field) => contentFields.has(field));

/** Whether the fields that are not in the path travel in a JSON body (otherwise in the query). */
export const hasBody = (op: Operation): boolean =>
  op.method !== "GET" && op.method !== "DELETE" && bodyFields(op).length > 0;
