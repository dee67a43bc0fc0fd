// Every kind of principal: the credential it presents, and its facts for the reference model. Permissions are not here.
import { scopes as allScopes, type Scope } from "@plinth/contract/scopes";
import type { ArtifactState, Facts } from "@plinth/contract/test/rules";
import { credential, membership } from "@plinth/db/schema/accounts";
import { session as sessions } from "@plinth/db/schema/identity";
import { and, eq, sql } from "drizzle-orm";

import { connectClient, connectCommandLine } from "../../../credentials/test/clients.ts";
import { operatorToken, type Caller } from "../../../test/context.ts";
import { mintToken, tokenHash } from "../../../tokens/token.ts";
import type { Call } from "../../call.ts";
import { linkKinds, type Player, type Scene } from "./scene.ts";

export interface Principal {
  readonly name: string;
  readonly facts: Facts;
  /** Whose things are its own. */
  readonly player: Player;
  readonly as: Caller;
  /** What it brings beside, where the artifact in question is in that state. */
  readonly share?: (state: ArtifactState) => Call["share"];
}

const nobody: Facts = {
  credential: "none",
  scopes: null,
  role: null,
  owner: false,
  made: false,
  heldTo: null,
  listed: false,
  verified: true,
  link: null,
  linkByCookie: false,
};

export async function createPrincipals(scene: Scene): Promise<Principal[]> {
  const { people } = scene;
  const byPeople = await bySession(scene);
  const byKeys = await byKey(scene);
  const named = (name: string): Principal => {
    const found = [...byPeople, ...byKeys].find((principal) => principal.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
  const anonymous: Principal = { name: "anonymous", facts: nobody, player: people.stranger, as: { kind: "none" } };
  const withLinks = [anonymous, named("stranger")].flatMap((principal) =>
    linkKinds.map((kind) => bringing(scene, principal, kind)),
  );
  return [
    anonymous,
    ...(await unauthenticated(scene)),
    ...byPeople,
    ...byKeys,
    ...withLinks,
    bringing(scene, anonymous, "viewer", "cookie"),
    bringing(scene, named("stranger"), "editor", "cookie"),
    bringing(scene, named("viewer"), "editor"),
    bringing(scene, named("viewer"), "revoked"),
    bringing(scene, named("former member"), "viewer"),
    bringing(scene, named("stranger's key"), "viewer"),
    bringing(scene, named("stranger's key"), "foreign"),
    bringing(scene, named("owner's key, no scope"), "viewer"),
    bringing(scene, named("owner's key, no scope"), "editor"),
    bringing(scene, named("owner's key, held elsewhere"), "editor"),
    bringing(scene, await expiredKey(scene), "editor"),
    bringing(scene, malformed(scene), "editor"),
    bringing(scene, await endedSession(scene, "an admin", people.admin, { role: "admin" }), "viewer"),
    {
      name: "operator",
      facts: { ...nobody, credential: "operator" },
      player: people.stranger,
      as: operatorToken,
    },
  ];
}

/** The same principal with a share link of the artifact in question, as a header or as a browser has it. */
function bringing(
  { places }: Scene,
  principal: Principal,
  kind: NonNullable<Facts["link"]>,
  how: "header" | "cookie" = "header",
): Principal {
  return {
    ...principal,
    name: `${principal.name} with ${kind} link${how === "cookie" ? " by cookie" : ""}`,
    facts: { ...principal.facts, link: kind, linkByCookie: how === "cookie" },
    share: (state) => {
      const { shareLinkId, token } = places[state].links[kind];
      return how === "cookie" ? { granted: [shareLinkId] } : { hash: tokenHash(token) };
    },
  };
}

const malformed = ({ people }: Scene): Principal => ({
  name: "malformed credential",
  facts: { ...nobody, credential: "malformed" },
  player: people.stranger,
  as: { kind: "bad" },
});

async function expiredKey({ setup, people }: Scene): Promise<Principal> {
  const as = await setup.key(people.admin.userId);
  await changeKey(setup, as, { expiresAt: sql`now() - interval '1 minute'` });
  return {
    name: "expired key",
    facts: { ...nobody, credential: "expired", role: "admin" },
    player: people.admin,
    as,
  };
}

async function endedSession({ setup }: Scene, name: string, player: Player, facts: Partial<Facts>): Promise<Principal> {
  const as = await setup.session(player.userId);
  if (typeof as === "string" || as.kind !== "session") throw new Error("no session");
  await setup.db.orm
    .update(sessions)
    .set({ expiresAt: sql`now() - interval '1 minute'` })
    .where(eq(sessions.token, as.token));
  return {
    name: `ended session of ${name}`,
    facts: { ...nobody, credential: "ended session", ...facts },
    player,
    as,
  };
}

async function unauthenticated(scene: Scene): Promise<Principal[]> {
  const { setup, people } = scene;
  const revoked = await setup.key(people.admin.userId);
  await changeKey(setup, revoked, { revokedAt: sql`now() - interval '1 minute'` });
  return [
    malformed(scene),
    {
      name: "unknown key",
      facts: { ...nobody, credential: "unknown" },
      player: people.stranger,
      as: mintToken("apiKey"),
    },
    await expiredKey(scene),
    {
      name: "revoked key",
      facts: { ...nobody, credential: "revoked", role: "admin" },
      player: people.admin,
      as: revoked,
    },
    await endedSession(scene, "an admin", people.admin, { role: "admin" }),
    await endedSession(scene, "an allowlisted person", people.listed, { listed: true }),
  ];
}

/** Everyone in person. */
async function bySession({ setup, people, home }: Scene): Promise<Principal[]> {
  const inPerson = (name: string, player: Player, facts: Partial<Facts> = {}): Principal => ({
    name,
    facts: { ...nobody, credential: "session", ...facts },
    player,
    as: player.session,
  });
  await setup.db.orm.delete(membership).where(of(people.former, home.workspaceId));
  await setup.db.orm.update(membership).set({ role: "viewer" }).where(of(people.demoted, home.workspaceId));
  return [
    inPerson("stranger", people.stranger),
    inPerson("allowlisted, verified", people.listed, { listed: true }),
    inPerson("allowlisted, unverified", people.unverified, { listed: true, verified: false }),
    inPerson("viewer", people.viewer, { role: "viewer" }),
    inPerson("billing admin", people.billing, { role: "billing_admin" }),
    inPerson("member", people.member, { role: "member" }),
    inPerson("member who made it", people.maker, { role: "member", made: true }),
    inPerson("admin", people.admin, { role: "admin" }),
    inPerson("former member", people.former),
    inPerson("owner", people.owner, { role: "admin", owner: true }),
  ];
}

/** Everyone by their programs. */
async function byKey({ setup, people, home, elsewhere }: Scene): Promise<Principal[]> {
  const asOwner = { role: "admin" as const, owner: true };
  const key = async (
    name: string,
    player: Player,
    facts: Partial<Facts>,
    held: readonly Scope[] = allScopes,
    workspaceId?: string,
  ): Promise<Principal> => ({
    name,
    facts: { ...nobody, credential: "api key", scopes: held, ...facts },
    player,
    as: await keyOf(player, held, workspaceId),
  });
  // The contract has no key without a scope; what is left of one whose scopes a later version no longer knows is that.
  async function keyOf(player: Player, held: readonly Scope[], workspaceId?: string): Promise<string> {
    const token = await setup.key(player.userId, held.length === 0 ? allScopes : held);
    await changeKey(setup, token, { scopes: [...held], ...(workspaceId === undefined ? {} : { workspaceId }) });
    return token;
  }
  const { session } = people.owner;
  const agent = (scopes: readonly Scope[], workspaceId?: string) =>
    setup.call(
      "agent.create",
      { name: "agent", scopes: [...scopes], ...(workspaceId === undefined ? {} : { workspaceId }) },
      { as: session },
    );
  const login = async (scopes: readonly Scope[]) => {
    const { caller } = await connectCommandLine(setup, people.owner.userId, { scopes });
    return (await setup.call("agent.exchangeLogin", { name: "host" }, { as: caller })).token ?? "";
  };
  const program = (name: string, kind: Facts["credential"], scopes: readonly Scope[], as: Caller, more = {}) => ({
    name,
    facts: { ...nobody, ...asOwner, credential: kind, scopes, ...more },
    player: people.owner,
    as,
  });
  const few = ["artifacts:read", "artifacts:update"] as const;
  const single: Principal[] = [];
  for (const scope of allScopes) single.push(await key(`owner's key, ${scope}`, people.owner, asOwner, [scope]));
  return [
    await key("owner's key, no scope", people.owner, asOwner, []),
    ...single,
    await key("owner's key, every scope", people.owner, asOwner),
    await key("owner's key, held here", people.owner, { ...asOwner, heldTo: "home" }, allScopes, home.workspaceId),
    await key(
      "owner's key, held elsewhere",
      people.owner,
      { ...asOwner, heldTo: "elsewhere" },
      allScopes,
      elsewhere.workspaceId,
    ),
    await key(
      "member's key, held here",
      people.maker,
      { role: "member", made: true, heldTo: "home" },
      allScopes,
      home.workspaceId,
    ),
    await key("viewer's key", people.viewer, { role: "viewer" }),
    await key("stranger's key", people.stranger, {}),
    await key("key whose creator was removed", people.former, {}),
    await key(
      "key held here whose creator was removed",
      people.former,
      { heldTo: "home" },
      allScopes,
      home.workspaceId,
    ),
    await key("key whose creator is now a viewer", people.demoted, { role: "viewer" }),
    await key("allowlisted person's key", people.listed, { listed: true }),
    await key(
      "allowlisted person's key, held elsewhere",
      people.listed,
      { listed: true, heldTo: "elsewhere" },
      allScopes,
      elsewhere.workspaceId,
    ),
    program("agent", "agent", allScopes, (await agent(allScopes)).token ?? ""),
    program("agent, few scopes", "agent", few, (await agent(few)).token ?? ""),
    program("agent, held elsewhere", "agent", allScopes, (await agent(allScopes, elsewhere.workspaceId)).token ?? "", {
      heldTo: "elsewhere",
    }),
    program("login", "login", allScopes, await login(allScopes)),
    program("login without agents:manage", "login", few, await login(few)),
    program(
      "connected client",
      "connected client",
      allScopes,
      (await connectClient(setup, people.owner.userId)).caller,
    ),
    program(
      "connected client, few scopes",
      "connected client",
      few,
      (await connectClient(setup, people.owner.userId, { scopes: few })).caller,
    ),
    program(
      "command line's access token",
      "the command line's client",
      allScopes,
      (await connectCommandLine(setup, people.owner.userId)).caller,
    ),
  ];
}

type Changes = Parameters<ReturnType<Scene["setup"]["db"]["orm"]["update"]>["set"]>[0];

/** What time, retention or an older version would have made of a key. */
async function changeKey({ db }: Scene["setup"], token: string, changes: Changes): Promise<void> {
  await db.orm
    .update(credential)
    .set(changes)
    .where(eq(credential.hash, Buffer.from(tokenHash(token), "hex")));
}

const of = ({ userId }: Player, workspaceId: string) =>
  and(eq(membership.userId, userId), eq(membership.workspaceId, workspaceId));
