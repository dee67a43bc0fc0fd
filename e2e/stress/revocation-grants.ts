// The kinds of access that can be revoked: each lets a reader see one private artifact, and can be ended. Knows how
// access is granted, not how it is used.
import { clientOf, createPerson, operatorOf, signIn, type Person } from "../harness/people.ts";
import type { Instance } from "../harness/instance.ts";
import { credentialHeaders, jsonOf, send } from "../harness/http.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";

export interface Place {
  readonly instance: Instance;
  readonly owner: Person;
  /** The owner's client with a session, which manages members. */
  readonly asOwner: ReturnType<typeof clientOf>;
  /** Readers that keep their credentials from round to round. */
  readonly guest: Person;
  readonly member: Person;
  readonly memberSession: string;
  readonly guestSession: string;
}

/** A reader who can see the artifact until `revoke` is answered. */
export interface Grant {
  readonly headers: Readonly<Record<string, string>>;
  revoke(): Promise<unknown>;
}

/** An owner with two readers: one is always a member of the workspace, the other has no access. */
export async function createPlace(instance: Instance): Promise<Place> {
  const [owner, guest, member] = await Promise.all([1, 2, 3].map(() => createPerson(instance)));
  if (owner === undefined || guest === undefined || member === undefined) throw new Error("nobody was made");
  const { workspaceId } = owner;
  await operatorOf(instance).call("operator.setMember", { workspaceId, userId: member.userId, role: "viewer" });
  const [session, memberSession, guestSession] = await Promise.all(
    [owner, member, guest].map(({ userId }) => signIn(instance, userId)),
  );
  const asOwner = clientOf(instance.origin, session);
  return {
    instance,
    owner,
    asOwner,
    guest,
    member,
    memberSession: memberSession ?? "",
    guestSession: guestSession ?? "",
  };
}

type Give = (place: Place, artifactId: string) => Promise<Grant>;

const by = ({ instance }: Place, token: string) => credentialHeaders(instance.origin, token);

const nobody = { publicView: false, publicEdit: false, viewerEmails: [] as string[] };
const setAccess = ({ owner }: Place, artifactId: string, changed: Partial<typeof nobody>) =>
  owner.client.call("access.update", { artifactId, ...nobody, ...changed });

async function link(place: Place, artifactId: string) {
  const { client } = place.owner;
  const { shareLinkId, token = "" } = await client.call("shareLink.create", { artifactId, role: "viewer" });
  trackSecret(token);
  return { token, revoke: () => client.call("shareLink.revoke", { shareLinkId }) };
}

async function listed(place: Place, artifactId: string, token: string): Promise<Grant> {
  await setAccess(place, artifactId, { viewerEmails: [`${place.guest.username}@example.com`] });
  return { headers: by(place, token), revoke: () => setAccess(place, artifactId, {}) };
}

async function membership(place: Place, token: string): Promise<Grant> {
  const { instance, owner, guest, asOwner } = place;
  const who = { workspaceId: owner.workspaceId, userId: guest.userId };
  await operatorOf(instance).call("operator.setMember", { ...who, role: "viewer" });
  return { headers: by(place, token), revoke: () => asOwner.call("member.remove", who) };
}

export const grants: Readonly<Record<string, Give>> = {
  "link by token": async (place, artifactId) => {
    const { token, revoke } = await link(place, artifactId);
    return { headers: { "x-share-token": token }, revoke };
  },
  "link by cookie": async (place, artifactId) => {
    const { token, revoke } = await link(place, artifactId);
    const { origin } = place.instance;
    const headers = { origin, "x-share-token": token };
    const answer = await send(`${origin}/api/auth/share-grant`, { method: "POST", headers });
    jsonOf(answer);
    const cookie = trackSecret(answer.headers.getSetCookie()[0]?.split(";")[0] ?? "");
    return { headers: { cookie, origin }, revoke };
  },
  "allowlist by session": (place, artifactId) => listed(place, artifactId, place.guestSession),
  "allowlist by key": (place, artifactId) => listed(place, artifactId, place.guest.token),
  "membership by session": (place) => membership(place, place.guestSession),
  "membership by key": (place) => membership(place, place.guest.token),
  key: async (place) => {
    const { userId } = place.member;
    const wanted = { userId, name: "A key", scopes: ["artifacts:read" as const] };
    const { apiKeyId, key = "" } = await operatorOf(place.instance).call("operator.createApiKey", wanted);
    const client = clientOf(place.instance.origin, place.memberSession);
    return { headers: by(place, trackSecret(key)), revoke: () => client.call("apiKey.revoke", { apiKeyId }) };
  },
  session: async (place) => {
    const session = await signIn(place.instance, place.member.userId);
    const client = clientOf(place.instance.origin, session);
    const { sessions } = await client.call("session.list", { limit: 100 });
    const { sessionId = "" } = sessions.find(({ current }) => current) ?? {};
    return { headers: by(place, session), revoke: () => client.call("session.end", { sessionId }) };
  },
  "what anyone may see": async (place, artifactId) => {
    await setAccess(place, artifactId, { publicView: true });
    return { headers: {}, revoke: () => setAccess(place, artifactId, {}) };
  },
};
