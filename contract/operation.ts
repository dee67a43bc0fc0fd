// An operation: one description from which REST, MCP, the command line, OpenAPI and the authorization matrix are
// generated. This is data; the domain has the handlers.
import type { Static, TObject, TSchema } from "typebox";

import type { ErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** `update` also comes with public edit and with an editor's share link; the others are for members of the workspace. */
export type ArtifactPermission = "read" | "update" | "share" | "manageAccess" | "audit" | "delete" | "undelete";
export type ProjectPermission = "see" | "publish" | "edit" | "delete" | "move";
export type WorkspacePermission = "see" | "createProject" | "manageMembers" | "audit" | "billing";

/**
 * The resource that `invoke` loads for the handler and the permission that it requires. The input's fields identify the
 * resource: `artifactId`; `owner`, `projectSlug`, and `slug` or a source `path`; `shareLinkId`; `projectId`; `workspaceId`; `invitationId`;
 * or, for `account`, for `project` without an identifier and for `idOrOwn` without one, the owner given or inferred
 * from the credential (docs/reference/contract.md §3, "Artifact").
 */
export type Resource = ArtifactResource | ProjectResource | WorkspaceResource;

/**
 * The artifact, by itself or with its version that the input names (otherwise the latest): with the version's record
 * and text, with its text alone, with its screenshot, or with the files beside it or one of them. By `optionalId`, null where the input names no artifact.
 */
export type ArtifactResource = Requires<ArtifactPermission> &
  (
    | { readonly load: "artifact" | "version"; readonly by: "id" | "path" | "sourcePath" | "shareLink" }
    | { readonly load: "files"; readonly by: "id" | "path" }
    | { readonly load: "artifact"; readonly by: "optionalId" }
    | { readonly load: "source" | "thumbnail" | "file"; readonly by: "id" }
  );

export interface ProjectResource extends Requires<ProjectPermission> {
  readonly load: "project";
  readonly by: "id" | "path" | "owner" | "workspace";
}

export interface WorkspaceResource extends Requires<WorkspacePermission> {
  readonly load: "workspace";
  readonly by: "id" | "idOrOwn" | "owner" | "invitation";
}

interface Requires<Permission extends string> {
  readonly permission: Permission;
  /** A caller without the permission gets a 404, even where it can see the resource. */
  readonly hidden?: true;
}

export interface Operation<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Names after a colon are input fields that travel in the path. */
  readonly path: `/api/${string}`;
  /** `authenticated` by default; `anyone` requires no credential; `operator` answers 404 to every other caller. */
  readonly caller: "anyone" | "authenticated" | "operator";
  /** The scope that a key or token requires; null where any valid credential is enough. */
  readonly scope: Scope | null;
  /** Further scopes, all required. */
  readonly alsoScopes?: readonly Scope[];
  /**
   * Requires a person's own session. With `login`, a login token that holds `agents:manage` is also accepted
   * (docs/reference/contract.md §5). Keys never create keys and never reach billing.
   */
  readonly credential?: "session" | "login";
  readonly resource: Resource | null;
  /** By default that of the method: read, create for POST, update for PATCH and PUT, delete. */
  readonly effect: "read" | "create" | "update" | "delete";
  /** Set where the effect's default does not apply: 200 for read and update, 201 for create, 204 for delete. */
  readonly status?: 200 | 201 | 202 | 204;
  /** It creates what is not there yet: the answer then has `created: true`, and the status is 201. */
  readonly upserts?: true;
  readonly input: Input;
  readonly output: Output;
  readonly errors: readonly ErrorCode[];
  /** Accepts `?dryRun=true`, which does every check and writes nothing (docs/reference/contract.md §4). */
  readonly dryRun?: true;
  /** The response has another media type than JSON: bytes, or a stream of server-sent events. */
  readonly media?: "source" | "diff" | "events" | "thumbnail" | "file" | "archive";
  /** The body is a file, and the fields outside the path travel in the query. */
  readonly takes?: "file";
  /** Ignores further query parameters, which callers add as another standard says. */
  readonly foreignQuery?: true;
  /** The response has an ETag, so that a client can revalidate it (docs/reference/contract.md §2). */
  readonly etag?: true;
  /** Members of the response that are shown once, and so never stored for a replay. */
  readonly secrets?: readonly string[];
  readonly mcp?: { readonly tool: string };
  readonly cli?: CommandName;
  /** Only the pages of an instance and its command line use it: OpenAPI leaves it out. */
  readonly internal?: true;
}

/** The command of an operation. */
export interface CommandName {
  readonly command: string;
  /** Other names of the command. */
  readonly aliases?: readonly string[];
  readonly examples?: readonly string[];
  /**
   * A command that deletes requires `--yes`, but this one does not: a person can create a revoked credential or
   * invitation again, and revoking must be quick.
   */
  readonly unconfirmed?: true;
}

export type InputOf<Op extends Operation> = Static<Op["input"]>;
export type OutputOf<Op extends Operation> = Static<Op["output"]>;

/** By the meaning of the method. */
const effects = { GET: "read", POST: "create", PATCH: "update", PUT: "update", DELETE: "delete" } as const;

interface Defaults<Method extends Operation["method"]> {
  readonly caller: "authenticated";
  readonly effect: (typeof effects)[Method];
  readonly errors: readonly [];
}

/** An operation as it is written: without what is as for most. */
type Description = Omit<Operation, keyof Defaults<"GET">> & Partial<Pick<Operation, keyof Defaults<"GET">>>;

type Described<Op extends Description> = Op & Omit<Defaults<Op["method"]>, keyof Op>;

/** The operation of a description, with its literal types. */
export function operation<const Op extends Description>(description: Op): Described<Op> {
  const method: Op["method"] = description.method;
  const defaults: Defaults<Op["method"]> = { caller: "authenticated", effect: effects[method], errors: [] };
  return { ...defaults, ...description };
}

// Who calls an operation that requires no scope and is about no resource that is loaded for it.
export const anyCaller = { caller: "anyone", scope: null, resource: null } as const;
export const personInSession = { credential: "session", scope: null, resource: null } as const;
export const personWithLogin = { credential: "login", scope: null, resource: null } as const;
export const operatorCaller = { caller: "operator", scope: null, resource: null } as const;

/** The status of a successful call that is not a dry run. */
export function successStatus(op: Operation): number {
  return op.status ?? { read: 200, update: 200, create: 201, delete: 204 }[op.effect];
}

/** The status of the answer. */
export const statusOf = (op: Operation, answer: unknown): number =>
  op.upserts && (answer as { readonly created: boolean }).created ? 201 : successStatus(op);

/** All the scopes that a key or token requires; empty where any valid credential is enough. */
export const scopesOf = ({ scope, alsoScopes = [] }: Pick<Operation, "scope" | "alsoScopes">): readonly Scope[] =>
  scope === null ? [] : [scope, ...alsoScopes];

interface Fields {
  readonly path: readonly string[];
  readonly body: readonly string[];
}

/** Computed once for each description, because every request needs them. */
const fields = new WeakMap<Operation, Fields>();

function fieldsOf(op: Operation): Fields {
  const known = fields.get(op);
  if (known !== undefined) return known;
  const path = [...op.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const read = { path, body: Object.keys(op.input.properties).filter((field) => !path.includes(field)) };
  fields.set(op, read);
  return read;
}

/**
 * The permissions that a share link can give its holder (docs/reference/contract.md §5); an `editor` link gives both.
 */
export const linkPermissions = ["read", "update"] as const satisfies readonly ArtifactPermission[];

export const isOnArtifact = (resource: Resource | null): resource is ArtifactResource =>
  resource !== null && resource.load !== "project" && resource.load !== "workspace";

/** Whether a share token can change the result: for one artifact, for a list, or where it is what the call is about. */
export function acceptsShareToken({ name, resource, scope, effect }: Operation): boolean {
  if (resource === null) return effect === "read" && (scope === "artifacts:read" || name === "shareLink.resolve");
  if (resource.load === "project") return resource.permission === "see";
  return isOnArtifact(resource) && linkPermissions.some((permission) => permission === resource.permission);
}

/** The input's fields that travel in the path, in order. */
export const pathFields = (op: Operation): readonly string[] => fieldsOf(op).path;

/** The input's fields that are not in the path. */
export const bodyFields = (op: Operation): readonly string[] => fieldsOf(op).body;

/** Body fields that hold a whole text, or parts of one. */
const contentFields: ReadonlySet<string> = new Set(["content", "edits"]);

/** Whether the body may be as long as content. No other field is long. */
export const carriesContent = (op: Operation): boolean => bodyFields(op).some((field) => contentFields.has(field));

/** Whether the fields outside the path travel in a JSON body (otherwise in the query). */
export const hasBody = (op: Operation): boolean =>
  op.takes === undefined && op.method !== "GET" && op.method !== "DELETE" && bodyFields(op).length > 0;
