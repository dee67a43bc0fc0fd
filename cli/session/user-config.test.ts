import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line } from "../testing/line.ts";

/** The person's configuration directory with this `config.json`, and logins beside it. */
function configured(settings: unknown, origins: Record<string, unknown> = {}): Record<string, string> {
  const home = emptyDirectory();
  const directory = join(home, "plinth");
  mkdirSync(directory);
  writeFileSync(join(directory, "config.json"), typeof settings === "string" ? settings : JSON.stringify(settings));
  writeFileSync(join(directory, "credentials.json"), JSON.stringify({ origins }), { mode: 0o600 });
  return { XDG_CONFIG_HOME: home };
}

const status = async (env: Record<string, string>, ...words: readonly string[]) => {
  const { stdout, stderr, code } = await line(["status", "--json", ...words], { env });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Record<string, unknown>;
};

const mine = { baseUrl: "https://mine.test", webUrl: "https://web.mine.test" };

describe("the person's own file", () => {
  test("comes after the flag and the environment, and before the default", async () => {
    const env = configured(mine);
    expect(await status(env)).toMatchObject(mine);
    expect(await status({ ...env, SERVICE_BASE_URL: "https://env.test" })).toMatchObject({
      baseUrl: "https://env.test",
      sources: { baseUrl: "SERVICE_BASE_URL" },
    });
    expect(
      await status({ ...env, SERVICE_BASE_URL: "https://env.test" }, "--base-url", "https://flag.test"),
    ).toMatchObject({ baseUrl: "https://flag.test", sources: { baseUrl: "--base-url" } });
    expect(await status(env)).toMatchObject({
      sources: { baseUrl: join(env["XDG_CONFIG_HOME"] ?? "", "plinth", "config.json") },
      configFile: mine,
    });
  });

  test("gives its web address to its own instance alone", async () => {
    const env = configured(mine);
    const other = { baseUrl: "https://other.test", webUrl: "https://other.test" };
    expect(await status(env, "--base-url", other.baseUrl)).toMatchObject(other);
    expect(await status({ ...env, SERVICE_BASE_URL: other.baseUrl })).toMatchObject(other);
    expect(await status(env, "--base-url", mine.baseUrl)).toMatchObject(mine);
    expect(await status(configured({ webUrl: "https://web.test" }))).toMatchObject({ webUrl: "https://web.test" });
  });

  test("says the format, also of a line that cannot be read", async () => {
    const env = configured({ format: "text" });
    const answer = () => json({ users: 1 });
    expect((await line(["operator", "stats", "--field"], { env })).stderr).toStartWith("error:");
    expect((await line(["whoami"], { env, answer })).stdout).not.toContain("{");
    expect((await line(["whoami"], { env: { ...env, SERVICE_FORMAT: "json" }, answer })).stdout).toContain("{");
    expect((await line(["whoami", "--format", "json"], { env, answer })).stdout).toContain("{");
  });

  test("gives the owner where the project's file has none", async () => {
    const env = configured({ owner: "ada" });
    const directory = emptyDirectory();
    const asked = async (...words: readonly string[]) => {
      const { stdout } = await line(["path", "project", "--dry-run", ...words], { env, directory });
      return stdout === "" ? null : (JSON.parse(stdout) as { request: { url: string } }).request.url;
    };
    expect(await asked("--project-slug", "a")).toEndWith("/by-path/ada/a");
    writeFileSync(join(directory, ".plinth.json"), JSON.stringify({ projectSlug: "b" }));
    expect(await asked()).toEndWith("/by-path/ada/b");
    writeFileSync(join(directory, ".plinth.json"), JSON.stringify({ owner: "team", projectSlug: "b" }));
    expect(await asked()).toEndWith("/by-path/team/b");
    expect(await asked("--owner", "bob", "--project-slug", "c")).toEndWith("/by-path/bob/c");
  });

  test("that is not right ends every line, but for help", async () => {
    const wrong: readonly (readonly [unknown, string, string])[] = [
      [{ token: "plk_0123456789abcdef" }, "must not hold token", "plinth login"],
      [{ projectSlug: "a" }, "must not hold projectSlug", ".plinth.json"],
      [{ baseUrl: "https://u:secret@mine.test" }, "baseUrl must not hold credentials", ""],
      [{ webUrl: "https://mine.test/path" }, "webUrl has a path", ""],
      [{ baseUrl: "file:///etc/passwd" }, "baseUrl is not an http or https address", ""],
      [{ format: "yaml" }, "format must be json or text", ""],
      ["{\n\n}}", "is not JSON: line 3", ""],
    ];
    for (const [settings, says, hint] of wrong) {
      const env = configured(settings);
      const { code, error, requests, stderr } = await line(["whoami"], { env });
      expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
      expect(error["detail"]).toEqual(expect.stringContaining(says));
      expect(error["hint"] ?? "").toEqual(expect.stringContaining(hint));
      expect(stderr).not.toMatch(/plk_0|secret@/);
      expect((await line(["whoami", "--help"], { env })).code).toBe(0);
    }
  });
});

describe("a saved login is sent to its own origin alone", () => {
  const origins = {
    "https://mine.test": { token: "pla_mine0123456789" },
    "http://localhost:3000": { token: "pla_here" },
  };
  const sentTo = async (env: Record<string, string>, ...words: readonly string[]) => {
    const { requests } = await line(["whoami", ...words], { env, answer: () => json({}) });
    return requests.map(({ url, headers }) => [new URL(url).origin, headers.get("authorization")]);
  };

  test("whichever setting names the address", async () => {
    const env = configured(mine, origins);
    expect(await sentTo(env)).toEqual([["https://mine.test", "Bearer pla_mine0123456789"]]);
    expect(await sentTo(env, "--base-url", "http://localhost:3000")).toEqual([
      ["http://localhost:3000", "Bearer pla_here"],
    ]);
    expect(await sentTo(env, "--base-url", "https://web.mine.test")).toEqual([["https://web.mine.test", null]]);
    expect(await sentTo({ ...env, SERVICE_BASE_URL: "https://mine.test.evil.test" })).toEqual([
      ["https://mine.test.evil.test", null],
    ]);
  });

  test("and never to the web address, nor where a redirect leads", async () => {
    const env = configured(mine, origins);
    expect(await sentTo(env, "--web-url", "https://elsewhere.test")).toEqual([
      ["https://mine.test", "Bearer pla_mine0123456789"],
    ]);
    for (const status of [301, 302, 303, 307, 308]) {
      const answer = () => new Response(null, { status, headers: { location: "https://evil.test/api/profile/me" } });
      const { code, requests } = await line(["whoami"], { env, answer });
      expect({ code, urls: requests.map(({ url }) => url), manual: requests.map(({ redirect }) => redirect) }).toEqual({
        code: 9,
        urls: ["https://mine.test/api/profile/me"],
        manual: ["manual"],
      });
    }
  });

  test("not to an address that a project's file would have liked", async () => {
    const env = configured({}, origins);
    const directory = emptyDirectory();
    for (const name of ["baseUrl", "webUrl", "base-url", "SERVICE_BASE_URL", "apiUrl"]) {
      writeFileSync(join(directory, ".plinth.json"), JSON.stringify({ [name]: "https://evil.test", projectSlug: "a" }));
      for (const words of [["path", "project", "--owner", "a"], ["status"]])
        expect(await line(words, { env, directory })).toMatchObject({ code: 2, requests: [] });
    }
  });
});
