// Checks that a user has a username: a user without one chooses it first.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

export async function hasUsername(db: Database, userId: string): Promise<boolean> {
  const found = await db.run("SELECT 1 FROM workspace WHERE personal_of = $1", [uuidOf("usr", userId)]);
  return found.length > 0;
}
