// Tickets and the steady address: what they open, for whom, and that nothing can be made of them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";
import { encodeId } from "@plinth/contract/ids";
import { versionNumberMax } from "@plinth/contract/limits";
import { newId, uuidOf } from "@plinth/db/columns";

import { connectClient } from "../credentials/test/clients.ts";
import { createSetup, type Caller, type TestPerson, type Setup } from "../test/context.ts";
import { publicVersion, redeemTicket } from "./redeem.ts";
import { openTicket, sealTicket, type Ticket } from "./ticket.ts";

const secret = "a secret";
const ticket: Ticket = {
  artifactId: newId("art"),
  versionNumber: versionNumberMax,
  madeWith: newId("key"),
  expiresAt: new Date(1_800_000_000_000),
};

describe("a ticket", () => {
  test("is read back as it was written", () => {
    expect(openTicket(secret, sealTicket(secret, ticket))).toEqual(ticket);
    for (const madeWith of [null, newId("agt"), newId("ses"), newId("shr")]) {
      const other = { ...ticket, madeWith };
      expect(openTicket(secret, sealTicket(secret, other))).toEqual(other);
    }
  });

  test("with any bit changed, cut, prolonged or of another secret is none", () => {
    const text = sealTicket(secret, ticket);
    const bytes = Buffer.from(text, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const other = Buffer.from(bytes);
      other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(openTicket(secret, other.toString("base64url"))).toBeNull();
    }
    for (const other of ["", text.slice(0, -1), `${text}A`, `${text}=`, ` ${text}`, text.toUpperCase(), "A".repeat(80)])
      expect(openTicket(secret, other)).toBeNull();
    expect(openTicket("another secret", text)).toBeNull();
  });
});

describe("redeeming", () => {
  let setup: Setup;
  let owner: TestPerson;
  let hidden: string;
  let shown: string;
  let projectSlug: string;
  beforeAll(async () => {
    setup = await createSetup();
    owner = await setup.person();
    const { slug } = await setup.project(owner.token);
    projectSlug = slug;
    hidden = (await setup.publish(owner.token, slug, { access: { publicView: false, publicEdit: false } })).artifactId;
    shown = (await setup.publish(owner.token, slug)).artifactId;
  });
  afterAll(() => setup.close());

  const address = "192.0.2.1";
  const ticketOf = async (artifactId: string, as?: Caller) => {
    const { url } = await setup.call("artifact.ticket", { artifactId }, as === undefined ? {} : { as });
    return url.split("/").at(-1) ?? "";
  };
  const redeemed = (text: string) =>
    redeemTicket(setup.instance, text, address).then(
      (loaded) => (loaded === "expired" ? loaded : loaded.artifact.artifactId),
      (error: AppError) => error.code,
    );
  const revoke = (token: string, change: string) =>
    setup.db.run(`UPDATE credential SET ${change} WHERE last_four = $1 AND start = $2`, [
      token.slice(-4),
      token.slice(0, 8),
    ]);

  test("opens what its maker may read, and no longer than they may", async () => {
    const key = await setup.key(owner.userId, ["artifacts:read"]);
    const text = await ticketOf(hidden, key);
    expect(await redeemed(text)).toBe(hidden);
    await revoke(key, "expires_at = now()");
    expect(await redeemed(text)).toBe("not_found");
    await revoke(key, "expires_at = NULL");
    expect(await redeemed(text)).toBe(hidden);
    await revoke(key, "revoked_at = now()");
    expect(await redeemed(text)).toBe("not_found");
  });

  test("ends with the membership it came from, and with what its key is held to", async () => {
    const member = await setup.person();
    const team = await setup.team({ [member.userId]: "viewer", [owner.userId]: "admin" });
    const { slug } = await setup.project(owner.token, team.slug);
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await setup.publish(owner.token, slug, { ownerUsername: team.slug, access });
    const text = await ticketOf(artifactId, member.token);
    expect(await redeemed(text)).toBe(artifactId);
    await setup.db.run("DELETE FROM membership WHERE user_id = $1 AND role = 'viewer'", [uuidOf("usr", member.userId)]);
    expect(await redeemed(text)).toBe("not_found");
  });

  test("ends with the session, the agent or the connection it was made with", async () => {
    const session = await setup.session(owner.userId);
    const { sessions } = await setup.call("session.list", {}, { as: session });
    const ofSession = await ticketOf(hidden, session);
    const agent = await setup.call("agent.create", { name: "a", scopes: ["artifacts:read"] }, { as: owner.token });
    const ofAgent = await ticketOf(hidden, agent.token);
    const client = await connectClient(setup, owner.userId);
    const ofClient = await ticketOf(hidden, client.caller);
    const others = await ticketOf(hidden, owner.token);
    for (const text of [ofSession, ofAgent, ofClient]) expect(await redeemed(text)).toBe(hidden);

    await setup.call("agent.revoke", { agentId: agent.agentId }, { as: session });
    expect(await redeemed(ofAgent)).toBe("not_found");
    await setup.call("agent.revoke", { agentId: client.agentId }, { as: session });
    expect(await redeemed(ofClient)).toBe("not_found");
    const sessionId = sessions.find(({ current }) => current)?.sessionId ?? "";
    await setup.call("session.end", { sessionId }, { as: session });
    expect(await redeemed(ofSession)).toBe("not_found");
    expect(await redeemed(others)).toBe(hidden);
    const past = await setup.session(owner.userId);
    const ofPast = await ticketOf(hidden, past);
    await setup.db.run("UPDATE session SET expires_at = now()");
    expect(await redeemed(ofPast)).toBe("not_found");
  });

  test("the identifier of one kind of credential stands for none of another", async () => {
    const { credentialId = "" } =
      (
        await setup.db.run<{ credentialId: string }>(
          `SELECT credential_id AS "credentialId" FROM credential WHERE user_id = $1 AND kind = 'api_key' AND
           revoked_at IS NULL AND expires_at > now() LIMIT 1`,
          [uuidOf("usr", owner.userId)],
        )
      )[0] ?? {};
    const { secret: key } = setup.instance.config;
    const sealed = (prefix: "key" | "ses") =>
      sealTicket(key, {
        artifactId: hidden,
        versionNumber: 1,
        madeWith: encodeId(prefix, credentialId),
        expiresAt: new Date(Date.now() + 60_000),
      });
    expect(await redeemed(sealed("key"))).toBe(hidden);
    expect(await redeemed(sealed("ses"))).toBe("not_found");
  });

  test("ends with the artifact, and comes back with it", async () => {
    const { slug } = await setup.project(owner.token);
    const { artifactId } = await setup.publish(owner.token, slug);
    const text = await ticketOf(artifactId);
    await setup.call("artifact.delete", { artifactId }, { as: owner.token });
    expect(await redeemed(text)).toBe("not_found");
    await setup.call("artifact.undelete", { artifactId }, { as: owner.token });
    expect(await redeemed(text)).toBe(artifactId);
    await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    expect(await redeemed(text)).toBe("not_found");
  });

  test("an anonymous ticket opens only what anyone may see", async () => {
    const { secret: key } = setup.instance.config;
    const expiresAt = new Date(Date.now() + 60_000);
    const forged = sealTicket(key, { artifactId: hidden, versionNumber: 1, madeWith: null, expiresAt });
    expect(await redeemed(forged)).toBe("not_found");
    expect(await redeemed(await ticketOf(shown))).toBe(shown);
  });

  test("one past its minute is told apart from one that never was", async () => {
    const { secret: key } = setup.instance.config;
    const old = { artifactId: shown, versionNumber: 1, madeWith: null, expiresAt: new Date(Date.now() - 1) };
    expect(await redeemed(sealTicket(key, old))).toBe("expired");
    expect(await redeemed("nonsense")).toBe("not_found");
  });

  test("the steady address opens what anyone may see, and only that", async () => {
    const at = (artifactId: string, versionNumber: number) =>
      publicVersion(setup.instance, artifactId, versionNumber, address).then(
        (loaded) => loaded.artifact.artifactId,
        (error: AppError) => error.code,
      );
    expect(await at(shown, 1)).toBe(shown);
    for (const [artifactId, version] of [
      [hidden, 1],
      [shown, 2],
      [shown, 0],
      ["art_x", 1],
    ] as const)
      expect(await at(artifactId, version)).toBe("not_found");
  });

  test("a ticket takes the scope to read, and names its version", async () => {
    const blind = await setup.key(owner.userId, ["artifacts:update"]);
    const refusal = await setup.refusal("artifact.ticket", { artifactId: shown }, { as: blind });
    expect(refusal.code).toBe("insufficient_scope");
    await setup.call("version.create", { artifactId: shown, content: "two" }, { as: owner.token });
    const { url } = await setup.call("artifact.ticket", { artifactId: shown, version: 1 });
    const loaded = await redeemTicket(setup.instance, url.split("/").at(-1) ?? "", address);
    expect(loaded === "expired" ? null : loaded.version.versionNumber).toBe(1);
  });

  test("another version is beside it where it is asked for, if there is one", async () => {
    const { artifactId } = await setup.publish(owner.token, projectSlug);
    await setup.call("version.create", { artifactId, content: "two" }, { as: owner.token });
    const { url, besideUrl = "" } = await setup.call("artifact.ticket", { artifactId, version: 2, beside: 1 });
    const opened = await Promise.all(
      [url, besideUrl].map((one) => redeemTicket(setup.instance, one.split("/").at(-1) ?? "", address)),
    );
    expect(opened.map((loaded) => (loaded === "expired" ? null : loaded.version.versionNumber))).toEqual([2, 1]);
    expect(await setup.call("artifact.ticket", { artifactId })).not.toHaveProperty("besideUrl");
    expect((await setup.refusal("artifact.ticket", { artifactId, beside: 3 })).code).toBe("not_found");
    await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
      uuidOf("art", artifactId),
    ]);
    expect((await setup.refusal("artifact.ticket", { artifactId, beside: 1 })).code).toBe("version_expired");
  });
});
