// The person in a browser, for operations that only a session may do (`credential: "session"`).
import { isPerson } from "../../access/principal.ts";
import type { Context } from "../../context.ts";

export interface PersonAsking {
  readonly userId: string;
  readonly personalWorkspaceId: string | null;
  /** The session's token. */
  readonly session: string;
}

export function personAsking({ principal, call: { credential } }: Context): PersonAsking {
  if (!isPerson(principal) || credential.kind !== "session") throw new Error("only a session does this");
  const { userId, personalWorkspaceId } = principal;
  return { userId, personalWorkspaceId, session: credential.token };
}
