// Creates accounts, keys, projects and artifacts through the API, for tests to act with.
import { createClient, type Client } from "@plinth/contract/client";
import type { PlanId } from "@plinth/contract/plans";
import type { Input, Output } from "@plinth/contract/registry";
import { scopes, type Scope } from "@plinth/contract/scopes";
import { newArtifact, newProject } from "@plinth/contract/test/refusals";

import { credentialHeaders, jsonOf, send } from "./http.ts";
import type { Instance } from "./instance.ts";
import { trackSecret } from "./tracked-secrets.ts";

export interface Person {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  readonly workspaceId: string;
  /** A key with every scope. */
  readonly token: string;
  readonly client: Client;
}

/** The part of an instance that clients need. */
type Served = Pick<Instance, "origin" | "operatorToken">;

let count = 0;
/** A name that is unique in this process. */
export const fresh = (word: string): string => `${word}-${process.pid}-${(count++).toString(36)}`;

/** The client of the token or session; without one, an anonymous client. */
export const clientOf = (origin: string, token?: string): Client =>
  createClient({ baseUrl: origin, headers: credentialHeaders(origin, token) });

/** The operator's client. */
export const operatorOf = (instance: Served): Client => clientOf(instance.origin, instance.operatorToken);

/** A new user of the plan with a key. */
export async function createPerson(instance: Served, plan: PlanId = "team"): Promise<Person> {
  const username = fresh("user");
  const email = trackSecret(`${username}@example.com`);
  const user = await operatorOf(instance).call("operator.createUser", { email, username, plan });
  const token = await createKey(instance, user.userId);
  return { ...user, email, token, client: clientOf(instance.origin, token) };
}

/** A key for a user, by default with every scope. */
export async function createKey(instance: Served, userId: string, held: readonly Scope[] = scopes): Promise<string> {
  const { key } = await operatorOf(instance).call("operator.createApiKey", {
    userId,
    name: fresh("key"),
    scopes: [...held],
  });
  if (key === undefined) throw new Error("the answer to create holds no key");
  return trackSecret(key);
}

/** Signs a user in with an operator's sign-in link; returns the session's cookie, `name=value`. */
export async function signIn(instance: Served, userId: string): Promise<string> {
  const { url } = await operatorOf(instance).call("operator.createSignInLink", { userId });
  const token = trackSecret(new URL(url).hash.slice(1));
  const headers = { origin: instance.origin };
  const answer = await send(`${instance.origin}/api/auth/sign-in-link`, { method: "POST", headers, body: { token } });
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("plinth_session="));
  if (answer.status !== 204 || cookie === undefined) jsonOf(answer, 204);
  return trackSecret(cookie?.split(";")[0] ?? "");
}

/** A new project of the person. */
export const createProject = (person: Person): Promise<Output<"project.create">> =>
  newProject({ unique: fresh }, person);

/** A new public markdown artifact, unless `fields` says otherwise. */
export const createArtifact = (
  person: Person,
  projectSlug: string,
  fields: Partial<Input<"artifact.create">> = {},
): Promise<Output<"artifact.create">> => newArtifact({ unique: fresh }, person, projectSlug, fields);
