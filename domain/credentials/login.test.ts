// The exchange of a short access token for a login token, and browser sessions listed and ended.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { commandLineClient } from "@plinth/contract/oauth";
import { uuidOf } from "@plinth/db/columns";

import { createSetup, type Caller, type TestPerson, type Setup } from "../test/context.ts";
import { connectClient, connectCommandLine } from "./test/clients.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
});
afterAll(() => setup.close());

const exchange = (as: Caller) => setup.call("agent.exchangeLogin", { name: "laptop.local" }, { as });
const codeOf = async (as?: Caller) =>
  (await setup.refusal("agent.exchangeLogin", { name: "x" }, as === undefined ? {} : { as })).code;

describe("the exchange", () => {
  test("makes a login token of ninety days, named after the host, with the access token's scopes", async () => {
    const client = await connectCommandLine(setup, owner.userId, {
      tokenScopes: ["openid", "offline_access", "artifacts:read", "artifacts:create"],
    });
    const { token = "", ...made } = await exchange(client.caller);
    expect(token).toStartWith("pla_");
    expect(made).toMatchObject({
      name: "laptop.local",
      kind: "login",
      client: commandLineClient.name,
      workspaceId: null,
      createdBy: { type: "agent", id: client.agentId, onBehalfOf: { userId: owner.userId } },
    });
    expect(made.scopes.toSorted()).toEqual(["artifacts:create", "artifacts:read"]);
    expect(Math.abs(Date.parse(made.expiresAt ?? "") - (Date.now() + 90 * 86_400_000))).toBeLessThan(3_600_000);
    const [row] = await setup.db.run<{ client_id: string; made_with: string }>(
      "SELECT client_id, made_with FROM credential WHERE credential_id = $1",
      [uuidOf("agt", made.agentId)],
    );
    expect(row).toEqual({ client_id: client.clientId, made_with: uuidOf("agt", client.agentId) });
    const session = await setup.session(owner.userId);
    const { agents } = await setup.call("agent.list", {}, { as: session });
    expect(agents.find(({ agentId }) => agentId === made.agentId)).toEqual(made);
    expect(await codeOf(client.caller)).toBe("unauthenticated");
    expect((await setup.refusal("profile.get", {}, { as: client.caller })).code).toBe("unauthenticated");

    await setup.call("agent.revoke", { agentId: client.agentId }, { as: session });
    expect((await setup.refusal("profile.get", {}, { as: token })).code).toBe("unauthenticated");
  });

  test("happens once, however many come with the token at once", async () => {
    const { caller, agentId } = await connectCommandLine(setup, owner.userId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        exchange(caller).then(
          () => "made",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(answers.toSorted()).toEqual(["made", ...Array.from({ length: 19 }, () => "unauthenticated")]);
    const made = await setup.db.run("SELECT 1 FROM credential WHERE made_with = $1", [uuidOf("agt", agentId)]);
    expect(made).toHaveLength(1);
  });

  test("leaves no login behind a connection that is being ended", async () => {
    const session = await setup.session(owner.userId);
    for (let round = 0; round < 20; round++) {
      const { caller, agentId } = await connectCommandLine(setup, owner.userId);
      const [token] = await Promise.all([
        exchange(caller).then(
          (made) => made.token,
          () => undefined,
        ),
        setup.call("agent.revoke", { agentId }, { as: session }),
      ]);
      if (token === undefined) continue;
      expect((await setup.refusal("profile.get", {}, { as: token })).code).toBe("unauthenticated");
    }
  });

  test("keeps what the connection is held to", async () => {
    const team = await setup.team({ [owner.userId]: "member" });
    const { caller } = await connectCommandLine(setup, owner.userId, { workspaceId: team.workspaceId });
    expect((await exchange(caller)).workspaceId).toBe(team.workspaceId);
  });

  test("is refused to every other caller", async () => {
    const session = await setup.session(owner.userId);
    const agent = await setup.call("agent.create", { name: "a", scopes: ["agents:manage"] }, { as: session });
    const login = await exchange((await connectCommandLine(setup, owner.userId)).caller);
    for (const as of [session, owner.token, agent.token ?? "", login.token ?? ""])
      expect(await codeOf(as)).toBe("forbidden");
    expect(await codeOf()).toBe("unauthenticated");
  });

  test("is refused to other clients: their approval lasts as long as their tokens", async () => {
    const { caller } = await connectClient(setup, owner.userId);
    expect(await codeOf(caller)).toBe("forbidden");
    expect((await setup.call("profile.get", {}, { as: caller })).userId).toBe(owner.userId);
  });
});

describe("sessions", () => {
  test("are listed with the one that asks marked, and ended one by one", async () => {
    const person = await setup.person();
    const [here, there, old] = [
      await setup.session(person.userId),
      await setup.session(person.userId),
      await setup.session(person.userId),
    ];
    await expire(old);
    const { sessions } = await setup.call("session.list", {}, { as: here });
    expect(sessions.map(({ current }) => current)).toEqual([false, true]);
    expect(JSON.stringify(sessions)).not.toContain(tokenOf(there));
    const sessionId = sessions.find(({ current }) => !current)?.sessionId ?? "";
    const stranger = await setup.session(owner.userId);
    expect((await setup.refusal("session.end", { sessionId }, { as: stranger })).code).toBe("not_found");
    expect((await setup.refusal("session.end", { sessionId: "ses_x" }, { as: here })).code).toBe("not_found");
    await setup.call("session.end", { sessionId }, { as: here });
    expect((await setup.refusal("profile.get", {}, { as: there })).code).toBe("unauthenticated");
    expect((await setup.refusal("session.end", { sessionId }, { as: here })).code).toBe("not_found");
    const own = sessions.find(({ current }) => current)?.sessionId ?? "";
    await setup.call("session.end", { sessionId: own }, { as: here });
    expect((await setup.refusal("profile.get", {}, { as: here })).code).toBe("unauthenticated");
    const left = await setup.db.run("SELECT 1 FROM session WHERE user_id = $1 AND expires_at > now()", [
      uuidOf("usr", person.userId),
    ]);
    expect([...left]).toEqual([]);
  });

  test("are a person's alone, or a login's that may manage agents and is held to nothing", async () => {
    const person = await setup.person();
    await setup.session(person.userId);
    const team = await setup.team({ [person.userId]: "admin" });
    const wide = await exchange((await connectCommandLine(setup, person.userId)).caller);
    const held = await exchange(
      (await connectCommandLine(setup, person.userId, { workspaceId: team.workspaceId })).caller,
    );
    const { sessions } = await setup.call("session.list", {}, { as: wide.token ?? "" });
    expect(sessions).toMatchObject([{ current: false }]);
    const sessionId = sessions[0]?.sessionId ?? "";
    expect((await setup.call("session.list", {}, { as: held.token ?? "" })).sessions).toEqual([]);
    expect((await setup.refusal("session.end", { sessionId }, { as: held.token ?? "" })).code).toBe("not_found");
    expect((await setup.refusal("session.end", { sessionId }, { as: person.token })).code).toBe("forbidden");
    expect((await setup.refusal("session.list", {}, { as: person.token })).code).toBe("forbidden");
    await setup.call("session.end", { sessionId }, { as: wide.token ?? "" });
  });

  const tokenOf = (caller: Caller): string =>
    typeof caller === "object" && caller.kind === "session" ? caller.token : "";
  const expire = (caller: Caller) =>
    setup.db.run("UPDATE session SET expires_at = now() WHERE token = $1", [tokenOf(caller)]);
});
