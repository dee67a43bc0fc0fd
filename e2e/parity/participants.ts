// The participants, the same on every instance: Ada the owner, Bob whom she invites, Carol who is a stranger.
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

/** Creates them, each with a key and a session for every surface, so that every instance records the same. */
export async function createParticipants(instance: Instance): Promise<Participants> {
  const members: [string, Member][] = [];
  for (const username of names) {
    const email = emailOf(username);
    const user = await operatorOf(instance).call("operator.createUser", { email, username, plan: "team" });
    const { userId, workspaceId } = user;
    // The same name everywhere, because its creation is an event.
    const made = { userId, name: "desk", scopes: [...scopes] };
    const { key = "" } = await operatorOf(instance).call("operator.createApiKey", made);
    members.push([
      username,
      { username, email, userId, workspaceId, key: trackSecret(key), session: await signIn(instance, userId) },
    ]);
  }
  return { people: Object.fromEntries(members) as Participants["people"] };
}
