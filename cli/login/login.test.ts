// `plinth login` with a browser of this machine, and with a token brought along. By code it is login-device.test.ts.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { json, line, problem } from "../testing/line.ts";
import {
  bring,
  challengeOf,
  entry,
  home,
  instance,
  modeOf,
  origin,
  never,
  person,
  profile,
  refused,
  tokens,
} from "../testing/sign-in.ts";

describe("with a browser", () => {
  test("the code is exchanged with its proof, the short token for a login, and that is kept", async () => {
    const { env, file } = home();
    const { answer, grants } = instance();
    const { browse, shown } = person();
    const ran = await line(["login"], { env, answer, browse, wait: never });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: expect.stringContaining("/authorize?") });
    const { asked, status, text, headers } = await shown;
    const parameters = Object.fromEntries(asked.searchParams);
    expect(parameters).toMatchObject({
      response_type: "code",
      client_id: "plinth-cli",
      code_challenge_method: "S256",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      scope: expect.stringContaining("agents:manage"),
    });
    expect(parameters["state"]?.length).toBeGreaterThanOrEqual(32);
    expect(Object.fromEntries(grants[0] ?? [])).toMatchObject({
      grant_type: "authorization_code",
      client_id: "plinth-cli",
      code: tokens.code,
      redirect_uri: parameters["redirect_uri"],
    });
    expect(challengeOf(grants[0]?.get("code_verifier") ?? "")).toBe(parameters["code_challenge"] ?? "");
    const exchange = ran.requests.find(({ url }) => url.endsWith("/api/agents/login"));
    expect(exchange?.headers.get("authorization")).toBe(`Bearer ${tokens.access}`);
    expect(await exchange?.json()).toEqual({ name: "laptop.test" });
    expect(ran.requests.at(-1)?.headers.get("authorization")).toBe(`Bearer ${tokens.login}`);

    expect(entry(file)).toMatchObject({ token: tokens.login, username: "ada", label: "laptop.test", issued: true });
    expect([modeOf(file), modeOf(dirname(file))]).toEqual(["600", "700"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ origin, username: "ada", label: "laptop.test" });

    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining("You are signed in") });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
    for (const secret of [...Object.values(tokens), parameters["state"] ?? "", grants[0]?.get("code_verifier") ?? ""])
      expect(text + ran.stdout).not.toContain(secret);
    expect(ran.stderr).not.toContain(tokens.login);
    expect(ran.stderr).not.toContain(tokens.access);
  });

  const failures: readonly (readonly [string, Record<string, string | null>, number, string])[] = [
    ["a wrong state", { state: "another" }, 4, "state"],
    ["no state", { state: null }, 4, "state"],
    ["consent that is denied", { code: null, error: "access_denied" }, 4, "declined"],
    ["another refusal", { code: null, error: "invalid_scope" }, 4, "invalid_scope"],
    ["an answer of another issuer", { iss: "https://evil.test" }, 4, "iss"],
  ];
  test.each(failures.map(([what, reply, code, why]) => ({ what, reply, code, why })))(
    "$what ends it, and nothing is kept",
    async ({ reply, code, why }) => {
      const { env, file } = home();
      const { answer, grants } = instance();
      const { browse, shown } = person(reply);
      const ran = await line(["login", "--debug"], { env, answer, browse, wait: never });
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: "" });
      expect(ran.error).toMatchObject({ code: "unauthenticated", detail: expect.stringContaining(why) });
      expect(ran.error["next"]).toBe("plinth login");
      expect((await shown).text).toContain("You are not signed in");
      expect({ grants: grants.length, kept: existsSync(file) }).toEqual({ grants: 0, kept: false });
    },
  );

  test("the browser never returns", async () => {
    const { env, file } = home();
    const ran = await line(["login"], { env, answer: instance().answer, browse: () => {} });
    expect({ code: ran.code, waits: ran.waits }).toEqual({ code: 4, waits: [300] });
    expect(ran.error).toMatchObject({ detail: expect.stringContaining("5 minutes") });
    expect(existsSync(file)).toBe(false);
  });

  test("what is no answer is not taken for one, and the first answer is the only one", async () => {
    const { env } = home();
    const { answer } = instance();
    const tried = Promise.withResolvers<void>();
    const statuses: number[] = [];
    async function comeBack(address: string): Promise<void> {
      const asked = new URL(address);
      const back = asked.searchParams.get("redirect_uri") ?? "";
      const good = `${back}?code=c&state=${asked.searchParams.get("state")}`;
      const ask = async (url: string, init?: RequestInit) => statuses.push((await fetch(url, init)).status);
      await ask(back);
      await ask(new URL("/favicon.ico", back).href);
      await ask(new URL("/callback/?code=c", back).href);
      await ask(good, { method: "POST" });
      await ask(good, { headers: { host: `evil.test:${new URL(back).port}` } });
      const first = ask(good);
      await exchanging.promise;
      await ask(good);
      tried.resolve();
      await first;
    }
    const exchanging = Promise.withResolvers<void>();
    const ran = await line(["login"], {
      env,
      answer: async (request) => {
        if (request.url.endsWith("/token")) {
          exchanging.resolve();
          await tried.promise;
        }
        return answer(request);
      },
      browse: (address) => void comeBack(address),
      wait: never,
    });
    expect({ code: ran.code, statuses }).toMatchObject({ code: 0, statuses: [400, 404, 404, 404, 404, 410] });
  });

  test("two at once have a port each", async () => {
    const [one, two] = [person(), person()];
    const both = [one, two].map(async ({ browse, shown }) => {
      const ran = await line(["login"], { env: home().env, answer: instance().answer, browse, wait: never });
      return { code: ran.code, address: (await shown).asked.searchParams.get("redirect_uri") };
    });
    const [first, second] = await Promise.all(both);
    expect([first?.code, second?.code]).toEqual([0, 0]);
    expect(first?.address).not.toBe(second?.address ?? null);
  });

  test("where no browser starts, the address on standard error is enough, also under --quiet", async () => {
    const { env, file } = home();
    const { answer } = instance();
    const asked = Promise.withResolvers<string>();
    const running = line(["login", "--quiet"], {
      env,
      answer,
      wait: never,
      onStderr: (text) => {
        const address = /http\S+authorize\S+/.exec(text)?.[0];
        if (address !== undefined) asked.resolve(address);
      },
    });
    const { browse } = person();
    browse(await asked.promise);
    expect((await running).code).toBe(0);
    expect(entry(file)).not.toBeNull();
  });

  test("the browser goes to the web app's own address, the code and the tokens to the API alone", async () => {
    const { env } = home();
    const metadata = {
      issuer: "https://web.test",
      authorization_endpoint: "https://web.test/api/auth/oauth2/authorize",
      token_endpoint: "https://web.test/api/auth/oauth2/token",
    };
    for (const [words, host] of [
      [[], "web.test"],
      [["--web-url", "https://plinth.test"], "plinth.test"],
    ] as const) {
      const { browse, shown } = person({ iss: "https://web.test" });
      const { answer } = instance({ metadata });
      const ran = await line(["login", ...words], { env, answer, browse, wait: never });
      expect({ code: ran.code, host: (await shown).asked.host }).toEqual({ code: 0, host });
      expect(new Set(ran.requests.map(({ url }) => new URL(url).origin))).toEqual(new Set([origin]));
    }
  });

  const servers: readonly (readonly [string, Parameters<typeof instance>[0], number])[] = [
    ["is no authorization server", { metadata: null }, 9],
    ["names no web address", { metadata: { authorization_endpoint: "javascript:alert(1)" } }, 9],
    ["refuses the code", { token: [refused("invalid_grant")] }, 4],
    ["breaks at the code", { token: [() => json({}, 500)] }, 9],
    ["answers nonsense to the code", { token: [() => json({ access_token: 1 })] }, 4],
    ["refuses the exchange", { exchange: () => problem(403, "forbidden") }, 5],
    ["loses the token on the way", { exchange: () => json({}, 201) }, 9],
    ["does not know the new token", { me: () => problem(401, "unauthenticated") }, 4],
  ];
  test.each(servers.map(([what, answers, code]) => ({ what, answers, code })))(
    "an instance that $what",
    async ({ answers, code }) => {
      const { env, file } = home();
      const ran = await line(["login", "--debug"], {
        env,
        answer: instance(answers).answer,
        browse: person().browse,
        wait: never,
      });
      expect({ code: ran.code, stdout: ran.stdout, kept: existsSync(file) }).toEqual({ code, stdout: "", kept: false });
      for (const secret of Object.values(tokens)) expect(ran.stderr).not.toContain(secret);
    },
  );

  test("what cannot be kept is ended", async () => {
    const { env, file } = home();
    mkdirSync(join(dirname(file), "credentials.lock"), { recursive: true });
    const { answer, ended } = instance();
    const ran = await line(["login"], { env, answer, browse: person().browse, wait: never });
    expect({ code: ran.code, ended, kept: existsSync(file) }).toEqual({ code: 2, ended: [tokens.login], kept: false });
  });

  test("signing in again ends the login before", async () => {
    const { env, file } = home();
    const { answer, ended } = instance();
    for (let round = 0; round < 2; round++)
      await line(["login", "--name", `round ${round}`], { env, answer, browse: person().browse, wait: never });
    expect(ended).toEqual([tokens.login]);
    expect(entry(file)).not.toBeNull();
  });
});

describe("with a token brought along", () => {
  test("it is tried and kept, and not made or ended by us", async () => {
    const { env, file } = home();
    const { answer, ended } = instance();
    const ran = await bring("plk_brought0123456789", { env, answer });
    expect({ code: ran.code, sent: ran.requests.map(({ url }) => new URL(url).pathname) }).toEqual({
      code: 0,
      sent: ["/api/profile/me"],
    });
    expect(ran.stdout + ran.stderr).not.toContain("brought");
    expect(entry(file)).toMatchObject({ token: "plk_brought0123456789", issued: false });
    const out = await line(["logout"], { env, answer });
    expect({ code: out.code, result: JSON.parse(out.stdout) as unknown, ended }).toMatchObject({
      code: 0,
      result: { forgotten: true, revoked: false },
      ended: [],
    });
  });

  test("one that the instance does not know is not kept", async () => {
    const { env, file } = home();
    const { answer } = instance({ me: () => problem(401, "unauthenticated") });
    const ran = await bring("plk_brought0123456789", { env, answer }, "--debug");
    expect({ code: ran.code, kept: existsSync(file) }).toEqual({ code: 4, kept: false });
    expect(ran.stderr).not.toContain("brought");
  });

  test.each(["", "two words", "plk_\u0007"])("%j is no token", async (token) => {
    const { code, requests } = await bring(token, { env: home().env, answer: instance().answer });
    expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
  });
});

test.each([["--no-input"], ["CI"], ["SERVICE_NO_INPUT"]])(
  "%s: no sign-in is possible, so nothing is sent",
  async (how) => {
    const { env } = home();
    const isFlag = how.startsWith("--");
    const ran = await line(["login", ...(isFlag ? [how] : [])], { env: { ...env, ...(!isFlag && { [how]: "1" }) } });
    expect({ code: ran.code, error: ran.error["code"], sent: ran.requests.length }).toEqual({
      code: 10,
      error: "input_needed",
      sent: 0,
    });
    const { answer } = instance({ me: () => json(profile) });
    expect((await bring("plk_brought0123456789", { env, answer }, "--no-input")).code).toBe(0);
  },
);

test.each(["--token plk_secret0123456789", "--token-stdin --device", "--token-stdin --name x", "--check"])(
  "login %s is not a line",
  async (words) => {
    const { code, requests, stderr } = await line(["login", ...words.split(" ")], { env: home().env });
    expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
    expect(stderr).not.toContain("secret");
  },
);

test("--dry-run says how it would sign in, and sends nothing", async () => {
  const { env, file } = home();
  const { code, stdout, requests } = await line(["login", "--dry-run"], { env });
  expect({ code, sent: requests.length, kept: existsSync(file) }).toEqual({ code: 0, sent: 0, kept: false });
  expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, means: "browser", origin });
});
