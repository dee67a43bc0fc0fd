// `login --base-url`: the lines after it go to the same instance without a flag.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { json, line } from "../testing/line.ts";
import { entry, home, modeOf, profile } from "../testing/sign-in.ts";

const elsewhere = "https://plinth.example.com";
const token = "plk_brought0123456789";

/** Signs in with a token that is brought along. */
function place() {
  const { env, file } = home();
  const config = join(dirname(file), "config.json");
  const answer = () => json(profile);
  const login = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    line(["login", "--token-stdin", ...words], { env: { ...env, ...more }, stdin: token, answer });
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    line(words, { env: { ...env, ...more }, answer });
  return { env, file, config, login, run, settled: () => JSON.parse(readFileSync(config, "utf8")) as unknown };
}

describe("login --base-url", () => {
  test("is what later commands, status and logout use", async () => {
    const { file, config, login, run, settled } = place();
    const signedIn = await login(["--base-url", elsewhere]);
    expect({ code: signedIn.code, stderr: signedIn.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`Commands without --base-url use ${elsewhere} from now on (${config})`),
    });
    expect(settled()).toEqual({ baseUrl: elsewhere });
    expect(modeOf(config)).toBe("600");

    const { code, requests } = await run(["whoami"]);
    expect({ code, url: requests[0]?.url, sent: requests[0]?.headers.get("authorization") }).toEqual({
      code: 0,
      url: `${elsewhere}/api/profile/me`,
      sent: `Bearer ${token}`,
    });
    expect(JSON.parse((await run(["status"])).stdout)).toMatchObject({
      baseUrl: elsewhere,
      sources: { baseUrl: config },
      login: { origin: elsewhere },
    });
    expect(JSON.parse((await run(["logout"])).stdout)).toMatchObject({ origin: elsewhere, forgotten: true });
    expect(existsSync(file)).toBe(false);
  });

  test("gives way to a flag and to the environment", async () => {
    const { login, run } = place();
    await login(["--base-url", elsewhere]);
    const target = async (words: readonly string[], env = {}) => (await run(words, env)).requests[0]?.url;
    expect(await target(["whoami"], { SERVICE_BASE_URL: "http://one.test" })).toBe("http://one.test/api/profile/me");
    expect(await target(["whoami", "--base-url", "http://two.test"], { SERVICE_BASE_URL: "http://one.test" })).toBe(
      "http://two.test/api/profile/me",
    );
  });

  test("keeps the person's other settings, and drops the web address of the instance before", async () => {
    const { config, login, settled } = place();
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, '{"baseUrl":"http://one.test","webUrl":"http://web.one.test","format":"json","owner":"ada"}');
    await login(["--base-url", elsewhere]);
    expect(settled()).toEqual({ baseUrl: elsewhere, format: "json", owner: "ada" });
    await login(["--base-url", "http://two.test", "--web-url", "http://web.two.test"]);
    expect(settled()).toEqual({
      baseUrl: "http://two.test",
      webUrl: "http://web.two.test",
      format: "json",
      owner: "ada",
    });
  });

  test("keeps each instance's own login", async () => {
    const { file, login, run } = place();
    await login(["--base-url", "http://one.test"]);
    await login(["--base-url", "http://two.test"]);
    expect([entry(file, "http://one.test"), entry(file, "http://two.test")]).toMatchObject([{ token }, { token }]);
    expect((await run(["whoami"])).requests[0]?.url).toStartWith("http://two.test/");
    await run(["logout"]);
    expect(entry(file, "http://one.test")).toMatchObject({ token });
  });

  test("of the environment, of a dry run and of a login that fails is not kept", async () => {
    const { env, config, login } = place();
    await login([], { SERVICE_BASE_URL: elsewhere });
    await login(["--base-url", elsewhere, "--dry-run"]);
    const refused = await line(["login", "--token-stdin", "--base-url", elsewhere], {
      env,
      stdin: token,
      answer: () => json({}, 401),
    });
    expect(refused.code).toBe(4);
    expect(existsSync(config)).toBe(false);
  });
});
