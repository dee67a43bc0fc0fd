// Describes the credential, scopes and permission that an operation requires, for OpenAPI.
import {
  scopesOf,
  type ArtifactPermission,
  type Operation,
  type ProjectPermission,
  type WorkspacePermission,
} from "../operation.ts";

const permissions: Readonly<Record<ArtifactPermission | ProjectPermission | WorkspacePermission, string>> = {
  audit: "read the audit log",
  billing: "manage the plan of the workspace",
  createProject: "create projects in the workspace",
  delete: "delete it",
  edit: "edit the project",
  manageAccess: "manage its access",
  manageMembers: "manage the workspace's members",
  move: "move the project",
  publish: "publish in the project",
  read: "read the artifact",
  see: "see it",
  share: "share the artifact",
  undelete: "undelete the artifact",
  update: "update the artifact",
};

/** One sentence: the credential, its scopes and the permission. */
export function needsOf(op: Operation): string {
  if (op.caller === "operator") return "Needs the operator token.";
  const scopes = scopesOf(op).map((scope) => `\`${scope}\``);
  const held = scopes.length > 0 ? scopes.join(" and ") : "a credential";
  const credential =
    op.credential === "session"
      ? "a signed-in browser session"
      : op.credential === "login"
        ? "a browser session, or a login token with `agents:manage`"
        : op.caller === "anyone"
          ? `${held}, except for what anyone can see`
          : held;
  const right = op.resource === null ? "" : `, and the right to ${permissions[op.resource.permission]}`;
  return `Needs ${credential}${right}.`;
}
