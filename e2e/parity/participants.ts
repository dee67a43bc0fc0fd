// Who takes part, the same on every instance: Ada who owns, Bob whom she names, Carol who is a stranger.
import { scopes } from "@plinth/contract/scopes";

import type { Instance } from "../harness/instance.ts";
import { operatorOf, signIn } from "../harness/people.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";

interface Member {
  readonly username: string;
  readonly email: string;
  readonly userId: string;
  readonly workspaceId: string;
  /** A key with every scope. */
  readonly key: string;
  /** The cookie of a session, `name=value`. */
  readonly session: string;
}

const names = ["ada", "bob", "carol"] as const;

export interface Participants {
  readonly people: Readonly<Record<(typeof names)[number], Member>>;
}

export const emailOf = (username: string): string => `${username}@example.org`;

/** Makes them, each with a key and a session, whichever the surface needs, so that every instance records the same. */
export async function createParticipants(instance: Instance): Promise<Participants> {
  const members: [string, Member][] = [];
  for (const username of names) {
    const email = emailOf(username);
    const user = await operatorOf(instance).call("operator.createUser", { email, username, plan: "team" });
    const { userId, workspaceId } = user;
    // Named alike everywhere: its making is an event.
    const made = { userId, name: "desk", scopes: [...scopes] };
    const { key = "" } = await operatorOf(instance).call("operator.createApiKey", made);
    members.push([
      username,
      { username, email, userId, workspaceId, key: trackSecret(key), session: await signIn(instance, userId) },
    ]);
  }
  return { people: Object.fromEntries(members) as Participants["people"] };
}
