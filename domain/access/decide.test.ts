// Compares the decision with a reference model of the tables in docs/reference/contract.md §5, row by row.
import { describe, expect, test } from "bun:test";

import type { ArtifactPermission, ProjectPermission, WorkspacePermission } from "@plinth/contract/operation";
import { workspaceRoles, type WorkspaceRole } from "@plinth/contract/roles";
import { shareRoles, type ShareRole } from "@plinth/contract/schemas/share-link";
import { newId } from "@plinth/db/columns";

import { decideArtifact, decideProject, decideWorkspace, type Decision } from "./decide.ts";
import type { LinkHolder, Person, Principal } from "./principal.ts";
import type { DecidedArtifact } from "./resource.ts";

const home = newId("wsp");
const elsewhere = newId("wsp");
const caller = newId("usr");
const someoneElse = newId("usr");

/** Where the credential counts: everywhere, in the resource's workspace alone, or in another alone. */
const holds = ["everywhere", "held here", "held elsewhere"] as const;
type Hold = (typeof holds)[number];

type Who =
  | { kind: "anonymous" }
  | { kind: "operator" }
  | { kind: "person"; role: WorkspaceRole | null; hold: Hold; verified: boolean };

const people: Who[] = [null, ...workspaceRoles].flatMap((role) =>
  holds.flatMap((hold) => [true, false].map((verified) => ({ kind: "person" as const, role, hold, verified }))),
);
const everyone: Who[] = [{ kind: "anonymous" }, { kind: "operator" }, ...people];

const kinds: readonly Person["kind"][] = ["session", "api_key", "agent", "login", "oauth"];

/** The same person with each kind of credential: the kind does not change the person's permissions. */
function principalsOf(who: Who): Principal[] {
  const principal = principalOf(who);
  if (who.kind !== "person") return [principal];
  return kinds.map((kind) => ({
    ...(principal as Person),
    kind,
    type: kind === "session" ? "user" : kind === "api_key" ? "api_key" : "agent",
    scopes: kind === "session" ? null : [],
  }));
}

function principalOf(who: Who): Principal {
  if (who.kind === "anonymous") return { type: "anonymous", address: "192.0.2.1" };
  if (who.kind === "operator") return { type: "operator" };
  const heldTo = { everywhere: null, "held here": home, "held elsewhere": elsewhere }[who.hold];
  const person: Person = {
    type: "api_key",
    kind: "api_key",
    userId: caller,
    username: "caller",
    name: null,
    // As a provider may say it; the allowlist holds it in lower case.
    email: "Caller@Example.org",
    emailVerified: who.verified,
    avatarUrl: null,
    credentialId: newId("key"),
    label: "key",
    scopes: [],
    heldTo,
    personalWorkspaceId: elsewhere,
    roles: new Map([[elsewhere, "admin" as const], ...(who.role === null ? [] : ([[home, who.role]] as const))]),
  };
  return person;
}

/** The role that counts for the resource: none for a credential that is held to another workspace. */
const roleOf = (who: Who): WorkspaceRole | null =>
  who.kind === "person" && who.hold !== "held elsewhere" ? who.role : null;
/** "Elsewhere it is as anonymous: no public edit." */
const isSignedIn = (who: Who): boolean => who.kind === "person" && who.hold !== "held elsewhere";

const expected = (who: Who, allowed: boolean, visible: boolean): Decision => {
  if (allowed) return "allow";
  if (!visible) return "hide";
  return who.kind === "anonymous" ? "unauthenticated" : "forbid";
};

interface State {
  publicView: boolean;
  publicEdit: boolean;
  deleted: boolean;
  mine: boolean;
  listed: boolean;
}
const either = [false, true] as const;
const states: State[] = [
  { publicView: false, publicEdit: false },
  { publicView: true, publicEdit: false },
  { publicView: true, publicEdit: true },
].flatMap((access) =>
  either.flatMap((deleted) => either.flatMap((mine) => either.map((listed) => ({ ...access, deleted, mine, listed })))),
);

const artifactPermissions: ArtifactPermission[] = [
  "read",
  "update",
  "share",
  "manageAccess",
  "audit",
  "delete",
  "undelete",
];

/** "Allowlisted, verified email: read"; elsewhere a credential "is as anonymous: no allowlist of its creator". */
const isListed = (who: Who, state: State): boolean =>
  state.listed && who.kind === "person" && who.verified && who.hold !== "held elsewhere";

/** "member: read, create, update, restore, share, access; delete what they made". */
function mayWithArtifact(who: Who, permission: ArtifactPermission, state: State): boolean {
  const role = roleOf(who);
  const mayDelete = role === "admin" || (role === "member" && state.mine);
  const mayAudit = role === "admin" || role === "member";
  if (state.deleted) return (permission === "undelete" && mayDelete) || (permission === "audit" && mayAudit);
  switch (permission) {
    case "read":
      return state.publicView || role !== null || isListed(who, state);
    case "update":
      return role === "admin" || role === "member" || (isSignedIn(who) && state.publicView && state.publicEdit);
    case "share":
    case "manageAccess":
    case "audit":
      return mayAudit;
    case "delete":
    case "undelete":
      return mayDelete;
  }
}

const artifactIn = (state: State): DecidedArtifact => ({
  artifactId: newId("art"),
  workspaceId: home,
  creatorId: state.mine ? caller : someoneElse,
  publicView: state.publicView,
  publicEdit: state.publicEdit,
  viewerEmails: state.listed ? ["someone@example.org", "caller@example.org"] : ["someone@example.org"],
  deletedAt: state.deleted ? new Date(0) : null,
});

const said = (who: Who): string =>
  who.kind === "person"
    ? `${who.role ?? "stranger"}, ${who.hold}, ${who.verified ? "verified" : "unverified"}`
    : who.kind;

describe("an artifact", () => {
  for (const who of everyone) {
    test(said(who), () => {
      for (const state of states) {
        const row = artifactIn(state);
        const visible = mayWithArtifact(who, "read", state);
        for (const permission of artifactPermissions) {
          const right = expected(who, mayWithArtifact(who, permission, state), visible);
          for (const principal of principalsOf(who)) {
            const decision = decideArtifact(principal, permission, row);
            expect({ permission, state, principal, decision }).toEqual({
              permission,
              state,
              principal,
              decision: right,
            });
          }
        }
      }
    });
  }
});

/** "viewer link / editor link: read / read, update, edits, restore", of a public artifact and of a private one. */
const linkRights = { viewer: ["read"], editor: ["read", "update"] } as const satisfies Record<
  ShareRole,
  readonly ArtifactPermission[]
>;

/** Deleting an artifact ends its links (docs/reference/contract.md §6). */
const mayByLink = (role: ShareRole, permission: ArtifactPermission, state: State): boolean =>
  !state.deleted && linkRights[role].some((right) => right === permission);

describe("an artifact, with a share link", () => {
  for (const who of everyone.filter(({ kind }) => kind !== "operator")) {
    test(said(who), () => {
      for (const state of states) {
        const row = artifactIn(state);
        for (const role of shareRoles) {
          for (const permission of artifactPermissions) {
            const bySelf = mayWithArtifact(who, permission, state);
            const may = bySelf || mayByLink(role, permission, state);
            const sees = mayWithArtifact(who, "read", state) || mayByLink(role, "read", state);
            for (const beside of principalsOf(who)) {
              const decision = decideArtifact(holding(beside, role, row.artifactId), permission, row);
              // A caller with a valid link knows the artifact, so a missing permission is 403 and not 404.
              const right = may ? "allow" : sees ? "forbid" : "hide";
              expect({ permission, state, role, beside, decision }).toEqual({
                permission,
                state,
                role,
                beside,
                decision: right,
              });
              const foreign = decideArtifact(holding(beside, role, newId("art")), permission, row);
              expect({ permission, state, foreign: foreign === "allow" }).toEqual({
                permission,
                state,
                foreign: bySelf,
              });
            }
          }
        }
      }
    });
  }
});

function holding(beside: Principal, role: ShareRole, artifactId: string): LinkHolder {
  if (beside.type === "operator" || beside.type === "share_link") throw new Error("no link is looked at beside this");
  return { type: "share_link", link: { shareLinkId: newId("shr"), artifactId, role, label: null }, beside };
}

const projectRights: Record<ProjectPermission, readonly WorkspaceRole[]> = {
  see: ["viewer", "billing_admin", "member", "admin"],
  publish: ["member", "admin"],
  edit: ["member", "admin"],
  delete: ["admin"],
  move: ["admin"],
};
const workspaceRights: Record<WorkspacePermission, readonly WorkspaceRole[]> = {
  see: ["viewer", "billing_admin", "member", "admin"],
  createProject: ["member", "admin"],
  manageMembers: ["admin"],
  audit: ["admin"],
  billing: ["billing_admin", "admin"],
};

describe("a project", () => {
  for (const who of everyone) {
    test(said(who), () => {
      for (const hasVisible of [false, true]) {
        const row = { workspaceId: home, hasVisible };
        const role = roleOf(who);
        const visible = role !== null || hasVisible;
        for (const permission of ["see", "publish", "edit", "delete"] as const) {
          const inRole = role !== null && projectRights[permission].includes(role);
          const allowed = inRole || (permission === "see" && visible);
          const right = expected(who, allowed, visible);
          for (const principal of principalsOf(who)) {
            const decision = decideProject(principal, permission, row);
            expect({ permission, hasVisible, principal, decision }).toEqual({
              permission,
              hasVisible,
              principal,
              decision: right,
            });
          }
        }
      }
    });
  }
});

describe("a workspace", () => {
  for (const who of everyone) {
    test(said(who), () => {
      const row = { workspaceId: home };
      const role = roleOf(who);
      for (const permission of ["see", "createProject", "manageMembers", "audit", "billing"] as const) {
        const allowed = role !== null && workspaceRights[permission].includes(role);
        const right = expected(who, allowed, role !== null);
        for (const principal of principalsOf(who)) {
          const decision = decideWorkspace(principal, permission, row);
          expect({ permission, principal, decision }).toEqual({ permission, principal, decision: right });
        }
      }
    });
  }
});
