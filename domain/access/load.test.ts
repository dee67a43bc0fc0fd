// The caller by each kind of credential: loaded in one statement, with the standing and the scopes of that moment.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";

import { scopes } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";

import { connectClient, connectCommandLine } from "../credentials/test/clients.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";
import type { LoadRequest } from "./load-statement.ts";

let setup: Setup;
let owner: TestPerson;
let artifact: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  const { slug } = await setup.project(owner.token);
  const access = { publicView: false, publicEdit: false };
  artifact = uuidOf("art", (await setup.publish(owner.token, slug, { access })).artifactId);
});
afterAll(() => setup.close());

const load = (request: LoadRequest) => setup.instance.load("artifact", { artifact, ...request });
const standing = async (request: LoadRequest) => (await load(request)).standing;
const sessionOf = async (userId: string): Promise<LoadRequest> => {
  const caller = await setup.session(userId);
  if (typeof caller === "string" || caller.kind !== "session") throw new Error("a session was expected");
  return { session: caller.token };
};

async function everyKind(): Promise<Record<"key" | "agent" | "login" | "oauth" | "session", LoadRequest>> {
  const agent = await setup.call("agent.create", { name: "a", scopes: ["artifacts:read"] }, { as: owner.token });
  const login = await setup.call(
    "agent.exchangeLogin",
    { name: "host" },
    { as: (await connectCommandLine(setup, owner.userId)).caller },
  );
  const { accessToken } = await connectClient(setup, owner.userId);
  return {
    key: { hash: tokenHash(await setup.key(owner.userId)) },
    agent: { hash: tokenHash(agent.token ?? "") },
    login: { hash: tokenHash(login.token ?? "") },
    oauth: { oauth: accessToken },
    session: await sessionOf(owner.userId),
  };
}

test("each kind is known, with what it asks for, in one statement", async () => {
  for (const [kind, request] of Object.entries(await everyKind())) {
    const before = setup.db.statements.total;
    const loaded = await load(request);
    expect({ kind, statements: setup.db.statements.total - before }).toEqual({ kind, statements: 1 });
    expect(loaded.standing).toBe("good");
    expect(loaded.artifact).not.toBeNull();
    expect(loaded.person).toMatchObject({
      kind: kind === "key" ? "api_key" : kind,
      type: kind === "session" ? "user" : kind === "key" ? "api_key" : "agent",
      userId: owner.userId,
      personalWorkspaceId: owner.workspaceId,
    });
    expect(loaded.person?.roles.get(owner.workspaceId)).toBe("admin");
    expect(loaded.person?.scopes === null).toBe(kind === "session");
  }
});

test("many of each kind that arrive together share statements", async () => {
  const requests = Object.values(await everyKind());
  const before = setup.db.statements.total;
  const loaded = await Promise.all(Array.from({ length: 100 }, (_, n) => load(requests[n % requests.length] ?? {})));
  expect(loaded.every(({ person }) => person?.userId === owner.userId)).toBe(true);
  expect(setup.db.statements.total - before).toBeLessThanOrEqual(12);
});

test("corrupt content fails only reads of that artifact", async () => {
  const { slug } = await setup.project(owner.token);
  const [whole, torn] = await Promise.all(
    ["Whole", "Torn"].map((content) => setup.publish(owner.token, slug, { content })),
  );
  await setup.db.run("UPDATE content SET data = '\\x00' WHERE sha256 = sha256('Torn')", []);
  const outcomes = await Promise.allSettled(
    [whole, torn, whole].map((made) =>
      setup.instance.load("source", { artifact: uuidOf("art", made?.artifactId ?? "") }),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("a large content is unpacked off the event loop, a small one at once", async () => {
  const { slug } = await setup.project(owner.token);
  const large = Array.from({ length: 60_000 }, () => String.fromCharCode(32 + Math.random() * 90)).join("");
  const made = await Promise.all([large, "Small"].map((content) => setup.publish(owner.token, slug, { content })));
  const unpackedNow = spyOn(Bun, "zstdDecompressSync");
  try {
    const loaded = await Promise.all(
      made.map(({ artifactId }) => setup.instance.load("source", { artifact: uuidOf("art", artifactId) })),
    );
    expect(loaded.map(({ row }) => row?.bytes?.length)).toEqual([60_000, 5]);
    expect(unpackedNow).toHaveBeenCalledTimes(1);
  } finally {
    unpackedNow.mockRestore();
  }
});

test("each request of a batch gets its own caller, in any mix of requests", async () => {
  const people = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { userId, token } = await setup.person();
      return { userId, request: { hash: tokenHash(token) } };
    }),
  );
  const nobody = { userId: undefined, request: { hash: tokenHash("nobody's") } };
  const callers = [...people, nobody];
  for (const kind of ["nothing", "workspace", "project", "artifact", "version"] as const) {
    const asked = Array.from({ length: 80 }, (_, n) => callers[(n * 7) % callers.length] ?? nobody);
    const loaded = await Promise.all(asked.map(({ request }) => setup.instance.load(kind, { artifact, ...request })));
    expect(loaded.map(({ person }) => person?.userId)).toEqual(asked.map(({ userId }) => userId));
    expect(new Set(loaded.map(({ standing: of }) => of))).toEqual(new Set(["good", "unknown"]));
    // The inferred workspace is the caller's own.
    if (kind !== "workspace") continue;
    expect(loaded.map((one) => (one.kind === "workspace" ? one.row?.workspaceId : undefined))).toEqual(
      loaded.map(({ person }) => person?.personalWorkspaceId ?? undefined),
    );
  }
  // The text of a token of one kind is no other kind's identifier.
  const [session] = await setup.db.run<{ id: string; token: string }>("SELECT id, token FROM session LIMIT 1");
  const text = session?.id ?? "";
  const [bySession, byId] = await Promise.all([load({ session: text }), load({ session_id: text })]);
  expect([bySession.person, byId.person?.userId]).toEqual([null, owner.userId]);
});

describe("standing", () => {
  test("of keys, agents and logins: expired and revoked are told apart, revoked first, one to come is none yet", async () => {
    const { key, agent, login } = await everyKind();
    for (const { hash = "" } of [key, agent, login]) {
      const set = (change: string) =>
        setup.db.run(`UPDATE credential SET ${change} WHERE hash = decode($1, 'hex')`, [hash]);
      await set("expires_at = now()");
      expect(await standing({ hash })).toBe("expired");
      await set("revoked_at = now()");
      expect(await standing({ hash })).toBe("revoked");
      await set("revoked_at = now() + interval '1 hour', expires_at = NULL");
      expect(await standing({ hash })).toBe("good");
    }
  });

  test("of an access token: its own end, and that of its connection", async () => {
    const client = await connectClient(setup, owner.userId);
    const request = { oauth: client.accessToken };
    const set = (change: string) =>
      setup.db.run(`UPDATE oauth_access_token SET ${change} WHERE token = $1`, [client.accessToken]);
    await set("expires_at = now()");
    expect(await standing(request)).toBe("expired");
    await set("expires_at = NULL");
    expect(await standing(request)).toBe("expired");
    await set("expires_at = now() + interval '5 minutes', revoked = now()");
    expect(await standing(request)).toBe("revoked");
    await set("revoked = NULL");
    expect(await standing(request)).toBe("good");
    await setup.db.run("UPDATE credential SET revoked_at = now() WHERE credential_id = $1", [
      uuidOf("agt", client.agentId),
    ]);
    expect(await load(request)).toMatchObject({ standing: "unknown", person: null });
  });

  test("of a session: until it expires, and unknown once its row is gone", async () => {
    const request = await sessionOf(owner.userId);
    await setup.db.run("UPDATE session SET expires_at = now() WHERE token = $1", [request.session]);
    expect(await standing(request)).toBe("expired");
    await setup.db.run("DELETE FROM session WHERE token = $1", [request.session]);
    expect(await load(request)).toMatchObject({ standing: "unknown", person: null });
  });

  test("of an unknown token: unknown, with any text", async () => {
    for (const text of ["", "x", "'", "%", "\\x", "null", "\u{1F600}".repeat(50)]) {
      expect(await standing({ session: text })).toBe("unknown");
      expect(await standing({ oauth: text })).toBe("unknown");
    }
    expect(await standing({ hash: tokenHash("x") })).toBe("unknown");
  });
});

test("an access token has the scopes that both it and its connection have, and of them only the eight", async () => {
  const of = async (connection: readonly (typeof scopes)[number][], token: readonly string[]) => {
    const { accessToken } = await connectClient(setup, owner.userId, { scopes: connection, tokenScopes: token });
    return (await load({ oauth: accessToken })).person?.scopes?.toSorted();
  };
  expect(await of(["artifacts:read", "artifacts:create"], ["artifacts:create", "artifacts:delete"])).toEqual([
    "artifacts:create",
  ]);
  expect(await of(["artifacts:read"], ["artifacts:delete"])).toEqual([]);
  // As a connection might have them that was written carelessly.
  const careless = ["artifacts:read", "offline_access", "openid", "artifacts:*"] as unknown as typeof scopes;
  expect(await of(careless, careless)).toEqual(["artifacts:read"]);
  expect(await of(scopes, scopes)).toEqual(scopes.toSorted());
});
