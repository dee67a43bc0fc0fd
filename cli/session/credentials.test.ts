import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line } from "../testing/line.ts";

const answer = () => json({ users: 1 });

function saved(origins: Record<string, unknown>): string {
  const home = emptyDirectory();
  mkdirSync(join(home, "plinth"));
  writeFileSync(join(home, "plinth", "credentials.json"), JSON.stringify({ origins }));
  return home;
}

async function sent(words: readonly string[], env: Record<string, string>, stdin = ""): Promise<string | null> {
  const { requests } = await line(words, { answer, env, stdin });
  return requests[0]?.headers.get("authorization") ?? null;
}

test("the flag, then standard input, then the environment, then the file", async () => {
  const XDG_CONFIG_HOME = saved({ "http://localhost:3000": { token: "pla_file" } });
  const SERVICE_TOKEN = "plk_environment";
  expect(await sent(["whoami", "--token", "plk_flag"], { XDG_CONFIG_HOME, SERVICE_TOKEN })).toBe("Bearer plk_flag");
  expect(await sent(["whoami", "--token-stdin"], { XDG_CONFIG_HOME, SERVICE_TOKEN }, "plk_stdin\n")).toBe(
    "Bearer plk_stdin",
  );
  expect(await sent(["whoami"], { XDG_CONFIG_HOME, SERVICE_TOKEN })).toBe("Bearer plk_environment");
  expect(await sent(["whoami"], { XDG_CONFIG_HOME })).toBe("Bearer pla_file");
  expect(await sent(["health"], {})).toBeNull();
});

test("a saved token goes to its own origin alone", async () => {
  const XDG_CONFIG_HOME = saved({ "http://localhost:3000": { token: "pla_file" } });
  expect(await sent(["whoami", "--base-url", "http://localhost:3001"], { XDG_CONFIG_HOME })).toBeNull();
  expect(await sent(["whoami", "--base-url", "https://localhost:3000"], { XDG_CONFIG_HOME })).toBeNull();
});

test("the operator's token: the file named, the environment, the data directory of this machine", async () => {
  const DATA_DIR = emptyDirectory();
  writeFileSync(join(DATA_DIR, "operator-token"), "plo_data\n");
  const named = join(DATA_DIR, "named");
  writeFileSync(named, "plo_named\n");
  const stats = ["operator", "stats"];
  expect(
    await sent([...stats, "--operator-token-file", named], {
      DATA_DIR,
      OPERATOR_TOKEN: "plo_environment",
    }),
  ).toBe("Bearer plo_named");
  expect(await sent(stats, { DATA_DIR, OPERATOR_TOKEN: "plo_environment" })).toBe("Bearer plo_environment");
  expect(await sent(stats, { DATA_DIR })).toBe("Bearer plo_data");
  expect(await sent([...stats, "--token", "plk_person"], { DATA_DIR })).toBe("Bearer plo_data");
  const elsewhere = await line([...stats, "--base-url", "https://elsewhere.test"], {
    env: { DATA_DIR },
  });
  expect({ code: elsewhere.code, sent: elsewhere.requests.length }).toEqual({ code: 4, sent: 0 });
});

test("status shows where the token comes from, and not the token", async () => {
  const { stdout, requests } = await line(["status"], { env: { SERVICE_TOKEN: "plk_0123456789" } });
  expect(JSON.parse(stdout)).toMatchObject({
    baseUrl: "http://localhost:3000",
    credential: { source: "SERVICE_TOKEN", kind: "API key" },
  });
  expect(stdout).not.toContain("0123456789");
  expect(requests).toBeEmpty();
});

test("what cannot be a token is refused before it is sent", async () => {
  for (const token of ["", "a b", "plk_\n", "ключ"]) {
    const { code, requests } = await line(["whoami", `--token=${token}`]);
    expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
  }
});

test("a data directory without an operator token is none, and a token that cannot be read is an error", async () => {
  const stats = ["operator", "stats"];
  const DATA_DIR = emptyDirectory();
  const none = await line(stats, { env: { DATA_DIR } });
  expect({ code: none.code, sent: none.requests.length }).toEqual({ code: 4, sent: 0 });
  mkdirSync(join(DATA_DIR, "operator-token"));
  const unreadable = await line(stats, { env: { DATA_DIR } });
  expect({ code: unreadable.code, sent: unreadable.requests.length }).toEqual({ code: 2, sent: 0 });
  expect(unreadable.error["detail"]).toContain("operator-token cannot be read");
});
