// Texts of a refusal for each kind of caller and each permission in the tables of roles.
import { afterAll, describe, expect, test } from "bun:test";
import { workspaceRoles, type WorkspaceRole } from "@plinth/contract/roles";
import { newId } from "@plinth/db/columns";

import { createSetupWithProject } from "../test/context.ts";
import { rolesThatAllow } from "./decide.ts";
import { missingRole, type Refused } from "./missing-role.ts";
import type { LinkHolder, Person, Principal } from "./principal.ts";

const home = newId("wsp");
const elsewhere = newId("wsp");

const person = (role: WorkspaceRole | null, heldTo: string | null = null): Person => ({
  type: "api_key",
  kind: "api_key",
  userId: newId("usr"),
  username: "caller",
  name: null,
  email: "caller@example.org",
  emailVerified: true,
  avatarUrl: null,
  credentialId: newId("key"),
  label: "key",
  scopes: [],
  heldTo,
  personalWorkspaceId: elsewhere,
  roles: new Map([[elsewhere, "admin" as const], ...(role === null ? [] : ([[home, role]] as const))]),
});

const linkHolder = (beside: LinkHolder["beside"], role: LinkHolder["link"]["role"] = "viewer"): LinkHolder => ({
  type: "share_link",
  link: { shareLinkId: newId("shr"), artifactId: newId("art"), role, label: null },
  beside,
});
const anonymous = { type: "anonymous", address: "192.0.2.1" } as const;

const at = { workspaceId: home, workspace: "acme" };
const permissions = {
  artifact: ["update", "share", "manageAccess", "audit", "delete", "undelete"],
  project: ["publish", "edit", "delete", "move"],
  workspace: ["createProject", "manageMembers", "audit", "billing"],
} as const;
const refusals = Object.entries(permissions).flatMap(([on, all]) =>
  all.map((permission) => ({ ...at, on, permission }) as Refused),
);

const said = (principal: Principal, refused: Refused) => {
  const { code, message, extra } = missingRole(principal, refused);
  expect(code).toBe("forbidden");
  return { detail: message, hint: extra.hint };
};

/** What the contract's tables say allows it (docs/reference/contract.md §5). */
const rolesFor: Record<string, string> = {
  "artifact update": "admin or member",
  "artifact share": "admin or member",
  "artifact manageAccess": "admin or member",
  "artifact audit": "admin or member",
  "artifact delete": "admin",
  "artifact undelete": "admin",
  "project publish": "admin or member",
  "project edit": "admin or member",
  "project delete": "admin",
  "project move": "admin",
  "workspace createProject": "admin or member",
  "workspace manageMembers": "admin",
  "workspace audit": "admin",
  "workspace billing": "admin or billing_admin",
};

describe.each(refusals)("$on $permission", (refused) => {
  const { on, permission } = refused;

  test("a member with too low a role: reads the roles that allow it, their own role, and whom to ask", () => {
    for (const role of workspaceRoles.filter((one) => !rolesThatAllow(on, permission).includes(one))) {
      const { detail, hint } = said(person(role), refused);
      expect(detail).toEndWith(`, you need the role ${rolesFor[`${on} ${permission}`]} in acme; you have ${role}`);
      expect(hint).toBe("Ask an admin of acme: see Settings → Workspaces, or plinth workspace members acme");
      expect(said(linkHolder(person(role)), refused)).toEqual({ detail, hint });
      expect(said(person(role, home), refused)).toEqual({ detail, hint });
    }
  });

  test("callers without a role: read no role and no member's name, and links and accounts read the same", () => {
    const outside = said(person(null), refused);
    expect(outside.detail).toMatch(/^Only members of acme (?:and holders of a link that can edit )?can /);
    expect(outside.hint).toStartWith("Ask the person who shared this with you");
    expect(JSON.stringify(outside)).not.toMatch(/\b(?:admin|viewer|billing_admin|role)\b/);
    const others = [linkHolder(anonymous), linkHolder(anonymous, "editor"), linkHolder(person(null)), operator];
    for (const other of others) expect(said(other, refused)).toEqual(outside);
  });

  test("a key that is limited to another workspace: reads that, and not its creator's role here", () => {
    const refusal = said(person(null, elsewhere), refused);
    expect(refusal.hint).toBe("The credential is limited to another workspace: use one that is not");
    expect(said(person("viewer", elsewhere), refused)).toEqual(refusal);
    expect(said(person("admin", elsewhere), refused)).toEqual(refusal);
  });
});

const operator = { type: "operator" } as const;

test("the refusals in words", () => {
  const change: Refused = { ...at, on: "artifact", permission: "update" };
  expect(said(person("viewer"), change).detail).toBe(
    "To change this artifact, you need the role admin or member in acme; you have viewer",
  );
  expect(said(linkHolder(anonymous), change)).toEqual({
    detail: "Only members of acme and holders of a link that can edit can change this artifact",
    hint: "Ask the person who shared this with you for a link that can edit",
  });
});

describe("over requests", async () => {
  const { setup, owner, project } = await createSetupWithProject();
  afterAll(() => setup.close());

  test("a stranger reads the same of every artifact that they see, with or without an allowlist and links", async () => {
    const stranger = await setup.person();
    const shown = { publicView: true, publicEdit: false };
    const listed = { ...shown, viewerEmails: [`${stranger.username}@example.org`, "other@example.org"] };
    const publish = (access: typeof listed | typeof shown) => setup.publish(owner.token, project, { access });
    const artifacts = [await publish(shown), await publish(listed), await publish({ ...listed, publicView: false })];
    const linked = artifacts[0]?.artifactId ?? "";
    await setup.call("shareLink.create", { artifactId: linked, role: "editor" }, { as: owner.token });
    for (const name of ["shareLink.list", "access.get", "artifact.delete"] as const) {
      const read = new Set<string>();
      for (const { artifactId } of artifacts) {
        const { code, message, extra } = await setup.refusal(name, { artifactId }, { as: stranger.token });
        read.add(JSON.stringify([code, message, extra]));
      }
      expect([...read]).toEqual([expect.stringContaining(`Only members of ${owner.username} `)]);
    }
  });

  test("a viewer of a team reads their own role, and what is hidden stays not found", async () => {
    const [admin, viewer, stranger] = [await setup.person(), await setup.person(), await setup.person()];
    const team = await setup.team({ [admin.userId]: "admin", [viewer.userId]: "viewer" });
    const { slug } = await setup.project(admin.token, team.slug);
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await setup.publish(admin.token, slug, { ownerUsername: team.slug, access });
    const refused = await setup.refusal("version.create", { artifactId, content: "x" }, { as: viewer.token });
    expect(refused.message).toBe(
      `To change this artifact, you need the role admin or member in ${team.slug}; you have viewer`,
    );
    const hidden = await setup.refusal("version.create", { artifactId, content: "x" }, { as: stranger.token });
    expect([hidden.code, hidden.message]).toEqual(["not_found", "There is nothing here, or you may not see it"]);
  });
});
