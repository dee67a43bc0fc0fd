// Sign-in links by email over HTTP: what a request answers, what a link does, and that nothing of it exists
// where the operator does not allow it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { uuidOf } from "@plinth/db/columns";
import { emailSignInUrl } from "@plinth/domain/tokens/email-sign-in-token";
import { operatorToken } from "@plinth/domain/test/context";

import { createService, origin, type Service } from "./test/service.ts";

/** No job runs here, so none is contacted. */
const mail = { url: "smtp://127.0.0.1:1", from: "Plinth <plinth@example.com>" };

let service: Service;
let made = 0;

beforeAll(async () => {
  service = await createService({
    identity: { providers: [], ownerEmail: null, emailSignIn: true },
    mail,
  });
});
afterAll(() => service.close());

const post = (path: string, body: object, headers: Record<string, string> = { origin }, of = service) =>
  of.ask("POST", `/api/auth/email-sign-in${path}`, { body, headers });
const requestLink = (email: string, next?: string) => post("/request", { email, ...(next !== undefined && { next }) });
const newEmail = () => `new-${++made}@example.org`;

const rowsTo = async (email: string) => [
  ...(await service.setup.db.run<{ id: string }>("SELECT id FROM email_sign_in WHERE email = $1 ORDER BY id", [email])),
];

/** The token of a requested link, without a mail. */
async function tokenFor(email: string, next?: string): Promise<string> {
  expect((await requestLink(email, next)).status).toBe(204);
  const { id = "" } = (await rowsTo(email.toLowerCase())).at(-1) ?? {};
  return emailSignInUrl(service.setup.instance.config, id).split("/").at(-1) ?? "";
}

const profileOf = async (response: Response) => {
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return (await service.ask("GET", "/api/profile/me", { headers: { cookie } })).json() as Promise<object>;
};

describe("a request for a link", () => {
  test("stores one row and one job, and answers the same for every address", async () => {
    const person = await service.setup.person();
    const unproven = await service.setup.call(
      "operator.createUser",
      { email: newEmail(), username: service.setup.name("unproven"), emailVerified: false },
      { as: operatorToken },
    );
    const { email: unprovenEmail } = (
      await service.setup.db.run<{ email: string }>('SELECT email FROM "user" WHERE user_id = $1', [
        uuidOf("usr", unproven.userId),
      ])
    )[0] ?? { email: "" };
    const answers = [];
    for (const email of [`${person.username}@example.org`, newEmail(), unprovenEmail]) {
      await service.setup.db.run("DELETE FROM outbox");
      const answer = await requestLink(email);
      const { "x-request-id": _, ...headers } = Object.fromEntries(answer.headers);
      answers.push({ status: answer.status, headers, body: await answer.text() });
      expect(await rowsTo(email)).toHaveLength(1);
      expect([...(await service.setup.db.run("SELECT kind FROM outbox"))]).toEqual([{ kind: "sign-in-mail" }]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 204, body: "", headers: { "cache-control": "no-store" } });
  });

  test("is refused with a wrong address or a path of another origin", async () => {
    for (const email of [
      "",
      "ada",
      "ada@localhost",
      "ada@example.org\nBcc: b@example.org",
      "\u212Aim@example.org",
      "a@b.",
    ]) {
      const answer = await requestLink(email);
      expect([email, answer.status]).toEqual([email, 400]);
    }
    for (const next of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "/.//evil.example",
    ]) {
      const answer = await requestLink(newEmail(), next);
      expect([next, answer.status]).toEqual([next, 400]);
    }
  });

  test("is taken from the instance's own pages alone", async () => {
    for (const headers of [{}, { origin: "https://evil.example" }, { origin: "null" }])
      for (const path of ["", "/request", "/describe"]) {
        const body = path === "/request" ? { email: newEmail() } : { token: "x" };
        expect((await post(path, body, headers)).status).toBe(403);
      }
  });

  test("is limited for a caller and one address, and others can still reach that address", async () => {
    const email = newEmail();
    const ask = (address: string) =>
      service.api(
        new Request(`${origin}/api/auth/email-sign-in/request`, {
          method: "POST",
          headers: { origin, "content-type": "application/json" },
          body: JSON.stringify({ email: Math.random() < 0.5 ? email : email.toUpperCase() }),
        }),
        address,
      );
    const statuses = [];
    for (let n = 0; n < 7; n++) statuses.push((await ask("198.51.100.1")).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429]);
    const refused = await ask("198.51.100.1");
    expect(await refused.json()).toMatchObject({ code: "rate_limited" });
    expect((await ask("198.51.100.2")).status).toBe(204);
    // Twenty in an hour, from however many callers.
    let sent = (await rowsTo(email)).length;
    for (let caller = 3; sent < 20; caller++)
      for (let n = 0; n < 5 && sent < 20; n++, sent++) expect((await ask(`198.51.100.${caller}`)).status).toBe(204);
    expect((await ask("198.51.100.99")).status).toBe(429);
    // Another address of the same callers is not affected.
    expect((await requestLink(newEmail())).status).toBe(204);
  });
});

describe("a browser in which the address has signed in", () => {
  const origins = { origin, "content-type": "application/json" };
  const ask = (email: string, address: string, cookie?: string) =>
    service.api(
      new Request(`${origin}/api/auth/email-sign-in/request`, {
        method: "POST",
        headers: { ...origins, ...(cookie !== undefined && { cookie }) },
        body: JSON.stringify({ email }),
      }),
      address,
    );
  const statusesOf = async (email: string, addresses: readonly string[], cookie?: string) => {
    const statuses = [];
    for (const address of addresses) statuses.push((await ask(email, address, cookie)).status);
    return statuses;
  };
  /** Signs the address in by a mailed link, and returns the cookies that the browser has then but for its session. */
  const signedIn = async (email: string, cookie?: string) => {
    const answer = await post(
      "",
      { token: await tokenFor(email) },
      { origin, ...(cookie !== undefined && { cookie }) },
    );
    expect(answer.status).toBe(204);
    const lines = answer.headers.getSetCookie().filter((line) => line.startsWith("plinth-known="));
    expect(lines).toHaveLength(1);
    return { line: lines[0] ?? "", cookie: lines[0]?.split(";")[0] ?? "" };
  };
  /** Five networks of others: the mails to the address are used up. */
  const useUp = async (email: string) => {
    let last = 204;
    for (let network = 1; last === 204; network++)
      for (let n = 0; n < 5 && last === 204; n++) last = (await ask(email, `203.0.113.${network}`)).status;
    expect(last).toBe(429);
  };

  test("gets its mails when others have used up those of the address, five in an hour", async () => {
    const email = newEmail();
    const { cookie } = await signedIn(email);
    await useUp(email);
    const before = (await rowsTo(email)).length;
    expect(await statusesOf(email, ["198.51.100.7"])).toEqual([429]);
    const known = await statusesOf(email, Array<string>(7).fill("198.51.100.7"), cookie);
    expect(known).toEqual([204, 204, 204, 204, 204, 429, 429]);
    expect(await rowsTo(email)).toHaveLength(before + 5);
    // The limit is the browser's, from any network.
    expect(await statusesOf(email.toUpperCase(), ["198.51.100.8"], cookie)).toEqual([429]);
  });

  test("gets its mails in a network whose own are used up, and uses up nothing of others", async () => {
    const email = newEmail();
    const { cookie } = await signedIn(email);
    const from = "198.51.100.21";
    for (let n = 0; n < 60; n++) expect((await ask(newEmail(), from)).status).toBe(204);
    expect(await statusesOf(newEmail(), [from])).toEqual([429]);
    expect(await statusesOf(email, [from, from, from, from, from], cookie)).toEqual([204, 204, 204, 204, 204]);
    const others = Array.from({ length: 4 }, (_, network) => Array<string>(5).fill(`192.0.2.${100 + network}`)).flat();
    // One was requested to sign in with.
    expect((await statusesOf(email, others)).filter((status) => status === 204)).toHaveLength(19);
  });

  test("two browsers have their own", async () => {
    const email = newEmail();
    const [one, two] = [await signedIn(email), await signedIn(email)];
    expect(one.cookie).not.toBe(two.cookie);
    for (const { cookie } of [one, two])
      expect(await statusesOf(email, Array<string>(6).fill("198.51.100.31"), cookie)).toEqual([
        204, 204, 204, 204, 204, 429,
      ]);
  });

  test("has no more for another address, a changed cookie, or by signing in again", async () => {
    const [email, other] = [newEmail(), newEmail()];
    const { cookie } = await signedIn(email);
    await useUp(other);
    expect(await statusesOf(other, ["198.51.100.41"], cookie)).toEqual([429]);
    await useUp(email);
    const [name = "", value = ""] = cookie.split("=");
    const changed = value.startsWith("A") ? `B${value.slice(1)}` : `A${value.slice(1)}`;
    for (const forged of ["", "x", changed, `${value}x`, value.slice(0, -1), `x.${changed}`, encodeURIComponent("a;b")])
      expect([forged, ...(await statusesOf(email, ["198.51.100.41"], `${name}=${forged}`))]).toEqual([forged, 429]);
    expect(await statusesOf(email, Array<string>(5).fill("198.51.100.41"), cookie)).toEqual([204, 204, 204, 204, 204]);
    const { id = "" } = (await rowsTo(email)).at(-1) ?? {};
    const token = emailSignInUrl(service.setup.instance.config, id).split("/").at(-1) ?? "";
    const again = await post("", { token }, { origin, cookie });
    expect(again.headers.getSetCookie().find((line) => line.startsWith("plinth-known="))).toStartWith(`${cookie};`);
    expect(await statusesOf(email, ["198.51.100.41"], cookie)).toEqual([429]);
  });

  test("knows each address that signed in there, the latest five, and names none", async () => {
    const emails = Array.from({ length: 6 }, newEmail);
    let cookie: string | undefined;
    for (const email of emails) cookie = (await signedIn(email, cookie)).cookie;
    const answers = [];
    for (const email of emails) {
      await useUp(email);
      answers.push((await ask(email, "198.51.100.51", cookie)).status);
    }
    expect(answers).toEqual([429, 204, 204, 204, 204, 204]);
    const text = Buffer.from(cookie ?? "", "base64url").toString("latin1") + (cookie ?? "");
    for (const email of emails) expect(text).not.toContain(email);
  });

  test("is remembered by a cookie for this host alone, which no script reads and which is no credential", async () => {
    const { line, cookie } = await signedIn(newEmail());
    expect(line.split("; ").slice(1)).toEqual(["Max-Age=34560000", "Path=/", "HttpOnly", "SameSite=Lax"]);
    expect((await service.ask("GET", "/api/profile/me", { headers: { cookie } })).status).toBe(401);
  });

  test("is remembered after another way of signing in too, but for an address that was never proven", async () => {
    for (const emailVerified of [true, false]) {
      const email = newEmail();
      const { userId } = await service.setup.call(
        "operator.createUser",
        { email, username: service.setup.name("known"), emailVerified },
        { as: operatorToken },
      );
      const { url } = await service.setup.call("operator.createSignInLink", { userId }, { as: operatorToken });
      const token = new URL(url).hash.slice(1);
      const body = { token: new URLSearchParams(token).get("token") ?? token };
      const answer = await service.ask("POST", "/api/auth/sign-in-link", { body, headers: { origin } });
      expect(answer.status).toBe(204);
      const known = answer.headers.getSetCookie().filter((line) => line.startsWith("plinth-known="));
      expect(known).toHaveLength(emailVerified ? 1 : 0);
      if (!emailVerified) continue;
      await useUp(email);
      expect(await statusesOf(email, ["198.51.100.61"], known[0]?.split(";")[0])).toEqual([204]);
    }
  });
});

describe("a mailed link", () => {
  test("says whose account it opens without using it, and signs in once of many times at once", async () => {
    const { userId, username } = await service.setup.person();
    const token = await tokenFor(`${username}@example.org`, "/somewhere?x=1");
    for (let n = 0; n < 3; n++)
      expect(await (await post("/describe", { token })).json()).toEqual({
        email: `${username}@example.org`,
        username,
        next: "/somewhere?x=1",
      });
    const answers = await Promise.all(Array.from({ length: 12 }, () => post("", { token })));
    const [done, ...more] = answers.filter(({ status }) => status === 204);
    expect([answers.map(({ status }) => status).filter((status) => status === 404).length, more.length]).toEqual([
      11, 0,
    ]);
    expect(await profileOf(done ?? new Response())).toMatchObject({ userId, credential: { type: "session" } });
    expect((await post("/describe", { token })).status).toBe(404);
  });

  test("creates the account of a new address once, with an audit event that names no address", async () => {
    const email = newEmail();
    const tokens = [await tokenFor(email), await tokenFor(email), await tokenFor(email)];
    const answers = await Promise.all(tokens.map((token) => post("", { token })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const profiles = (await Promise.all(answers.map(profileOf))) as { userId: string; emailVerified: boolean }[];
    expect(new Set(profiles.map(({ userId }) => userId)).size).toBe(1);
    expect(profiles[0]).toMatchObject({ email, emailVerified: true, username: null });
    const events = await service.setup.db.run<{ event: string }>(
      "SELECT e::text AS event FROM audit_event e WHERE kind = 'user.created' AND target_id = $1",
      [profiles[0]?.userId],
    );
    expect(events).toHaveLength(1);
    expect(events[0]?.event).toContain("email");
    expect(events[0]?.event).not.toContain(email);
  });

  test("does not open an account whose address was never proven", async () => {
    const email = newEmail();
    const token = await tokenFor(email);
    await service.setup.call(
      "operator.createUser",
      { email, username: service.setup.name("unproven"), emailVerified: false },
      { as: operatorToken },
    );
    expect((await post("/describe", { token })).status).toBe(404);
    expect((await post("", { token })).status).toBe(404);
  });

  test("that is unknown, used, expired or of another seal is the same nothing", async () => {
    const used = await tokenFor(newEmail());
    await post("", { token: used });
    const past = await tokenFor(newEmail());
    await service.setup.db.run("UPDATE email_sign_in SET expires_at = now() WHERE used_at IS NULL");
    const invitation = (await invited(newEmail())).token;
    const answers = [];
    for (const token of ["unknown", used, past, `${past}x`, invitation])
      for (const path of ["", "/describe"]) {
        const answer = await post(path, { token });
        const { requestId: _, ...problem } = (await answer.json()) as Record<string, unknown>;
        answers.push(JSON.stringify([answer.status, problem]));
      }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("404");
  });

  test("leads back to the invitation that its person came from, whose token no row holds", async () => {
    const email = newEmail();
    const { url, token: invitation } = await invited(email);
    const token = await tokenFor(email, url.slice(origin.length));
    const described = (await (await post("/describe", { token })).json()) as { next: string };
    expect(origin + described.next).toBe(url);
    const stored = await service.setup.db.run("SELECT 1 FROM email_sign_in e WHERE e::text LIKE $1", [
      `%${invitation}%`,
    ]);
    expect([...stored]).toEqual([]);
    const forged = await tokenFor(email, "/invitations/accept#forged");
    expect(await (await post("/describe", { token: forged })).json()).toMatchObject({ next: "/invitations/accept" });
  });
});

test("turned off, neither the routes nor their mention exist", async () => {
  for (const changed of [{ mail: null }, { identity: { providers: [], ownerEmail: null } }]) {
    const off = await createService({
      identity: { providers: [], ownerEmail: null, emailSignIn: true },
      mail,
      ...changed,
    });
    const absent = await off.ask("POST", "/api/auth/nothing", { body: {}, headers: { origin } });
    const { requestId: _, ...expected } = (await absent.json()) as Record<string, unknown>;
    for (const path of ["", "/request", "/describe"]) {
      const answer = await post(path, { email: "ada@example.org" }, { origin }, off);
      const { requestId: __, ...problem } = (await answer.json()) as Record<string, unknown>;
      expect([answer.status, problem]).toEqual([404, expected]);
    }
    expect(await (await off.ask("GET", "/api/auth/providers")).json()).toEqual({ providers: [] });
    await off.close();
  }
  expect(await (await service.ask("GET", "/api/auth/providers")).json()).toEqual({ providers: [], emailSignIn: true });
});

async function invited(email: string) {
  const { userId } = await service.setup.person();
  const as = await service.setup.session(userId);
  const { workspaceId } = await service.setup.call(
    "workspace.create",
    { slug: service.setup.name("team"), name: "Team" },
    { as },
  );
  const { url = "" } = await service.setup.call("invitation.create", { workspaceId, email, role: "member" }, { as });
  return { url, token: url.split("#")[1] ?? "" };
}
