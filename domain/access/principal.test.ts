// Scopes of a credential: each scope permits itself and no other one.
import { expect, test } from "bun:test";

import { scopes, type Scope } from "@plinth/contract/scopes";
import { newId } from "@plinth/db/columns";

import { holdsScope, type Caller, type Person } from "./principal.ts";

const person = (type: Person["type"], kind: Person["kind"], held: readonly Scope[] | null): Person => ({
  type,
  kind,
  userId: newId("usr"),
  username: "ada",
  name: null,
  email: "ada@example.org",
  emailVerified: true,
  avatarUrl: null,
  credentialId: newId("key"),
  label: "ci",
  scopes: held,
  heldTo: null,
  personalWorkspaceId: null,
  roles: new Map(),
});

const programs = [
  ["api_key", "api_key"],
  ["agent", "agent"],
  ["agent", "login"],
  ["agent", "oauth"],
] as const;

test.each(programs)(
  "%s (%s): each scope permits itself alone, and all but one do not permit that one",
  (type, kind) => {
    const permitted = (held: readonly Scope[]) => scopes.filter((scope) => holdsScope(person(type, kind, held), scope));
    expect(permitted([])).toEqual([]);
    for (const scope of scopes) {
      expect(permitted([scope])).toEqual([scope]);
      const others = scopes.filter((other) => other !== scope);
      expect(permitted(others)).toEqual(others);
    }
  },
);

test("callers without a list of scopes are limited by nothing here: a session, anonymous, the operator, a link", () => {
  const session = person("user", "session", null);
  const callers: Caller[] = [session, { type: "anonymous", address: "192.0.2.1" }, { type: "operator" }];
  const link = { shareLinkId: newId("shr"), artifactId: newId("art"), role: "viewer", label: null } as const;
  const key = person("api_key", "api_key", []);
  for (const principal of [...callers, { type: "share_link", link, beside: key } as const])
    expect(scopes.filter((scope) => !holdsScope(principal, scope))).toEqual([]);
});
