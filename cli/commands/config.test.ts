// `plinth config` and `plinth version`.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line } from "../testing/line.ts";
import { build, version } from "../version.ts";

function person() {
  const env = { HOME: emptyDirectory() };
  const file = join(env.HOME, ".config/plinth/config.json");
  const config = (...words: readonly string[]) => line(["config", ...words], { env });
  return { env, file, config };
}

describe("plinth config", () => {
  test("sets, shows and removes what every command then reads", async () => {
    const { env, file, config } = person();
    expect((await config("set", "base-url", "https://plinth.test")).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ baseUrl: "https://plinth.test" });
    expect((await config("set", "owner", "acme")).code).toBe(0);
    expect(JSON.parse((await config("list")).stdout)).toEqual({
      path: file,
      settings: { baseUrl: "https://plinth.test", webUrl: null, format: null, owner: "acme" },
    });
    expect((await config("get", "owner", "--format", "text")).stdout).toBe("acme\n");
    expect(JSON.parse((await config("get", "webUrl")).stdout)).toEqual({ name: "web-url", value: null });
    const { requests } = await line(["health"], { env, answer: () => json({}) });
    expect(requests[0]?.url).toBe("https://plinth.test/api/health");
    const removed = await config("set", "base-url", "none");
    expect(JSON.parse(removed.stdout)).toEqual({ name: "base-url", value: null, path: file });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ owner: "acme" });
  });

  test("a dry run writes nothing", async () => {
    const { file, config } = person();
    const { code, stdout } = await config("set", "format", "json", "--dry-run");
    expect({ code, value: JSON.parse(stdout) }).toEqual({
      code: 0,
      value: { name: "format", value: "json", path: file, dryRun: true },
    });
    expect(JSON.parse((await config("list")).stdout).settings.format).toBeNull();
  });

  test.each([
    [["set", "ownr", "x"], "There is no such setting", "Did you mean owner?"],
    [["set", "projectSlug", "x"], "There is no such setting", "Settings are base-url, web-url, format, owner"],
    [["set", "format", "yaml"], "format must be json or text", "none removes the setting"],
    [["set", "base-url", "ftp://a"], "base-url is not an http or https address", "none removes the setting"],
    [["set", "owner"], "config set needs a setting and its value", "Settings are base-url, web-url, format, owner"],
    [["get"], "config get needs a setting", "Settings are base-url, web-url, format, owner"],
  ])("%p is refused", async (words, detail, hint) => {
    const { code, error } = await person().config(...words);
    expect({ code, detail: error["detail"], hint: error["hint"] }).toEqual({ code: 2, detail, hint });
  });

  test("a file that cannot be understood is not overwritten", async () => {
    const { env, file, config } = person();
    await config("set", "owner", "acme");
    writeFileSync(file, "{");
    expect((await line(["config", "set", "owner", "other"], { env })).code).toBe(2);
    expect(readFileSync(file, "utf8")).toBe("{");
  });
});

test("plinth version says the version and the build", async () => {
  expect(JSON.parse((await line(["version"])).stdout)).toEqual({ version, build });
  expect((await line(["version", "--format", "text"])).stdout).toBe(`plinth ${version} (${build})\n`);
});
