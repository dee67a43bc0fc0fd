// The principal that somebody would be, signed in on the web with an address: for telling others what they may do. What
// has no account is as one that has never been anywhere.
import { nilUuid } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { userColumns } from "./load-asker.ts";
import { personOf, type PrincipalColumns } from "./load-rows.ts";
import type { Person } from "./principal.ts";

const statement = `
  SELECT ${userColumns}
  FROM "user" u
  LEFT JOIN workspace own ON own.personal_of = u.user_id
  WHERE lower(u.email) = $1`;

type UserColumns = Omit<
  PrincipalColumns,
  "credential_id" | "credential_kind" | "credential_name" | "scopes" | "held_to" | "revoked" | "expired"
>;

/** With their roles as they are now. Expects the address in the form in which addresses are compared. */
export async function somebody(db: Database, email: string): Promise<Person> {
  const [account] = await db.run<UserColumns>(statement, [email]);
  return personOf({ ...(account ?? newcomer(email)), ...ownSession });
}

const ownSession = {
  credential_id: nilUuid,
  credential_kind: "session",
  credential_name: null,
  scopes: null,
  held_to: null,
  revoked: false,
  expired: false,
} as const;

/** Nobody signs in but with an address that their provider has verified. */
const newcomer = (email: string): UserColumns => ({
  user_id: nilUuid,
  email,
  email_verified: true,
  user_name: null,
  avatar_url: null,
  own_workspace: null,
  username: null,
  own_plan: null,
  own_seats: null,
  roles: null,
});
