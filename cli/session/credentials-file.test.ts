// The file of saved logins: its modes, its entries by origin, and what is left after a fight over it. `logout` as well.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { json, line, problem } from "../testing/line.ts";
import { bring, entry, home, instance, modeOf, origin, never, person, tokens } from "../testing/sign-in.ts";

const main = join(import.meta.dir, "../main.ts");
const other = "https://elsewhere.test";

/** A home with what a login left, and a login of another origin that this version does not wholly understand. */
function saved(issued = true) {
  const place = home();
  mkdirSync(dirname(place.file), { mode: 0o700 });
  const entries = {
    [origin]: { token: tokens.login, label: "laptop", username: "ada", since: "2026-11-01T00:00:00.000Z", issued },
    [other]: { token: "pla_other0123456789", future: { kept: true } },
  };
  writeFileSync(place.file, JSON.stringify({ origins: entries }), { mode: 0o600 });
  return { ...place, entries };
}

describe("the file", () => {
  test("is narrowed when written, with a word about it before", async () => {
    const { env, file } = saved();
    chmodSync(file, 0o644);
    chmodSync(dirname(file), 0o755);
    const warned = await line(["whoami"], { env, answer: instance().answer });
    expect({ code: warned.code, stderr: warned.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("chmod 600"),
    });
    expect((await line(["whoami", "--quiet"], { env, answer: instance().answer })).stderr).toBe("");
    await bring("plk_brought0123456789", { env, answer: instance().answer });
    expect([modeOf(file), modeOf(dirname(file))]).toEqual(["600", "700"]);
    expect((await line(["whoami"], { env, answer: instance().answer })).stderr).toBe("");
  });

  test("keeps the entries of other origins as they are, and nothing beside it", async () => {
    const { env, file, entries } = saved();
    writeFileSync(`${file}.new`, "left by a crash", { mode: 0o666 });
    await line(["login"], { env, answer: instance().answer, browse: person().browse, wait: never });
    expect(entry(file, other)).toEqual(entries[other] ?? null);
    expect(entry(file)).toMatchObject({ since: expect.not.stringContaining("2026-11-01") });
    expect(readdirSync(dirname(file))).toEqual(["credentials.json"]);
    expect(modeOf(file)).toBe("600");
  });

  test("gives a token to its own origin alone", async () => {
    const { env } = saved();
    const sent = async (...words: readonly string[]) => {
      const { requests } = await line(["whoami", ...words], { env, answer: instance().answer });
      return requests[0]?.headers.get("authorization") ?? null;
    };
    expect(await sent()).toBe(`Bearer ${tokens.login}`);
    expect(await sent("--base-url", other)).toBe("Bearer pla_other0123456789");
    expect(await sent("--base-url", "http://localhost:3001")).toBeNull();
    expect(await sent("--base-url", "https://localhost:3000")).toBeNull();
    expect(await sent("--base-url", "http://127.0.0.1:3000")).toBeNull();
  });

  test("that is not JSON is left alone, and said to be", async () => {
    const { env, file } = saved();
    writeFileSync(file, "{", { mode: 0o600 });
    for (const words of [["whoami"], ["login", "--device"], ["logout"], ["status"]]) {
      const { code, requests } = await line(words, { env });
      expect({ words, code, sent: requests.length }).toEqual({ words, code: 2, sent: 0 });
    }
    expect(readFileSync(file, "utf8")).toBe("{");
  });

  test("loses no entry to twelve logins at once, and is whole at every moment", async () => {
    const { env, file } = home();
    const servers = Array.from({ length: 12 }, () => Bun.serve({ port: 0, fetch: instance().answer }));
    const logins = servers.map(({ port }) => {
      const child = Bun.spawn([process.execPath, main, "login", "--token-stdin"], {
        env: { ...env, PATH: process.env["PATH"] ?? "", SERVICE_BASE_URL: `http://localhost:${port}` },
        stdin: new Blob([`plk_${port}`]),
        stdout: "ignore",
        stderr: "inherit",
      });
      return child.exited;
    });
    const all = Promise.all(logins);
    let left = true;
    void all.then(() => (left = false));
    while (left) {
      if (existsSync(file)) JSON.parse(readFileSync(file, "utf8"));
      await Bun.sleep(1);
    }
    expect(await all).toEqual(servers.map(() => 0));
    for (const { port } of servers) expect(entry(file, `http://localhost:${port}`)?.["token"]).toBe(`plk_${port}`);
    await Promise.all(servers.map((server) => server.stop(true)));
  }, 60_000);
});

describe("logout", () => {
  test("ends the login with its own token, forgets it, and leaves other origins alone", async () => {
    const { env, file, entries } = saved();
    const { answer, ended } = instance();
    const { code, stdout } = await line(["logout"], { env: { ...env, SERVICE_TOKEN: "plk_environment" }, answer });
    expect({ code, ended }).toEqual({ code: 0, ended: [tokens.login] });
    expect(JSON.parse(stdout)).toMatchObject({ origin, forgotten: true, revoked: true });
    expect([entry(file), entry(file, other)]).toEqual([null, entries[other] ?? null]);
    await line(["logout", "--base-url", other], { env });
    expect(existsSync(file)).toBe(false);
  });

  const servers: readonly (readonly [string, () => Response, boolean])[] = [
    [
      "is away",
      () => {
        throw new TypeError("connection refused");
      },
      false,
    ],
    ["breaks", () => problem(500, "internal"), false],
    ["has ended it already", () => problem(401, "unauthenticated"), true],
    ["is too old to know how", () => problem(404, "not_found"), false],
  ];
  test.each(servers.map(([what, end, revoked]) => ({ what, end, revoked })))(
    "where the server $what it is forgotten all the same",
    async ({ end, revoked }) => {
      const { env, file } = saved();
      const ran = await line(["logout", "--format", "text"], { env, answer: instance({ end }).answer });
      expect({ code: ran.code, kept: entry(file) }).toEqual({ code: 0, kept: null });
      expect(ran.stdout).toContain(revoked ? "Signed out of" : "is forgotten here");
      expect(ran.stderr).toEqual(revoked ? "" : expect.stringContaining("could not be ended on the server"));
      expect(ran.stderr).not.toContain(tokens.login);
    },
  );

  test("with nothing saved there is nothing to do", async () => {
    const { env, file } = home();
    const { code, stdout, requests } = await line(["logout"], { env });
    expect({ code, sent: requests.length, made: existsSync(dirname(file)) }).toEqual({ code: 0, sent: 0, made: false });
    expect(JSON.parse(stdout)).toMatchObject({ forgotten: false, revoked: false });
  });

  test("--dry-run ends and forgets nothing", async () => {
    const { env, file } = saved();
    const { stdout, requests } = await line(["logout", "--dry-run"], { env });
    expect(JSON.parse(stdout)).toEqual({ dryRun: true, origin, forget: true, revoke: true });
    expect({ sent: requests.length, kept: entry(file) !== null }).toEqual({ sent: 0, kept: true });
  });
});

test("status shows the saved login, and no secret", async () => {
  const { env } = saved();
  const { stdout, requests } = await line(["status"], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    credential: { kind: "agent or login token" },
    login: { origin, username: "ada", label: "laptop", since: "2026-11-01T00:00:00.000Z" },
  });
  expect(stdout).not.toContain(tokens.login);
  expect(requests).toBeEmpty();
  expect(JSON.parse((await line(["status", "--base-url", "http://localhost:1"], { env })).stdout)).toMatchObject({
    login: null,
    credential: null,
  });
});

test("a saved login that has ended says to sign in again; another token says where it came from", async () => {
  const { env } = saved();
  const answer = () => problem(401, "token_expired", { hint: "Make a new one" });
  const ended = await line(["whoami"], { env, answer });
  expect(ended.error).toMatchObject({
    exitCode: 4,
    hint: expect.stringContaining("sign in again"),
    next: "plinth login",
  });
  const given = await line(["whoami"], { env: { ...env, SERVICE_TOKEN: "plk_environment" }, answer });
  expect(given.error).toMatchObject({ hint: "Make a new one", next: "plinth status" });
  const none = await line(["whoami"], { env: home().env, answer: () => problem(401, "unauthenticated") });
  expect(none.error).toMatchObject({ hint: expect.stringContaining("SERVICE_TOKEN"), next: "plinth login" });
});

test("an interrupt while the browser is open keeps nothing and exits with 130", async () => {
  const { env, file } = home();
  const server = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      const at = (path: string) => new URL(path, url).href;
      return json({ issuer: at("/"), authorization_endpoint: at("/authorize"), token_endpoint: at("/token") });
    },
  });
  const bare = { PATH: "/nonexistent", SERVICE_BASE_URL: server.url.origin, SERVICE_FORMAT: "json" };
  const child = Bun.spawn([process.execPath, main, "login"], {
    env: { ...env, ...bare },
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  for await (const chunk of child.stderr) {
    stderr += new TextDecoder().decode(chunk);
    if (stderr.includes("/authorize?")) child.kill("SIGINT");
  }
  expect({ code: await child.exited, stdout: await new Response(child.stdout).text(), kept: existsSync(file) }).toEqual(
    {
      code: 130,
      stdout: "",
      kept: false,
    },
  );
  expect(stderr).toContain("No browser could be started");
  expect(JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ error: { exitCode: 130 } });
  await server.stop(true);
});
