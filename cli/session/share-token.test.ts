import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line, problem } from "../testing/line.ts";

const token = "pls_0123456789abcdefABCDEF";
const other = "pls_9876543210abcdefABCDEF";
const base = "https://plinth.test";
const get = ["artifact", "get", "--artifact-id", "art_1", "--base-url", base];

async function sent(words: readonly string[], env: Record<string, string> = {}) {
  const { code, requests, stderr } = await line(words, { answer: () => json({ artifactId: "art_1" }), env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const headers = requests[0]?.headers;
  return { share: headers?.get("x-share-token") ?? null, bearer: headers?.get("authorization") ?? null };
}

test("alone, or beside any credential; the flag goes before the environment", async () => {
  expect(await sent(get)).toEqual({ share: null, bearer: null });
  expect(await sent([...get, "--share-token", token])).toEqual({ share: token, bearer: null });
  expect(await sent(["--share-token", token, ...get], { SERVICE_SHARE_TOKEN: other })).toEqual({
    share: token,
    bearer: null,
  });
  expect(await sent(get, { SERVICE_SHARE_TOKEN: other, SERVICE_TOKEN: "plk_own" })).toEqual({
    share: other,
    bearer: "Bearer plk_own",
  });
  expect(await sent(get, { SERVICE_SHARE_TOKEN: "" })).toEqual({ share: null, bearer: null });
});

test("the address of a share link stands for its token, where it leads to this instance", async () => {
  for (const address of [`${base}/share/${token}`, `${base}/share/${token}/`])
    expect(await sent([...get, "--share-token", address])).toMatchObject({ share: token });
  const web = ["--web-url", "https://pages.test"];
  const address = `https://pages.test/share/${token}`;
  expect(await sent([...get, ...web], { SERVICE_SHARE_TOKEN: address })).toMatchObject({ share: token });
});

test.each([
  `https://elsewhere.test/share/${token}`,
  `http://plinth.test/share/${token}`,
  `${base}/shared/${token}`,
  `${base}/share/`,
  `${base}/share/plk_0123456789abcdef`,
  "https://",
  "plk_0123456789abcdef",
  "pls_",
  "pls_a b",
  `${token}\n`,
])("%j is refused before anything is sent, and not repeated", async (given) => {
  for (const run of [
    await line([...get, `--share-token=${given}`]),
    await line(get, { env: { SERVICE_SHARE_TOKEN: given } }),
  ]) {
    expect({ code: run.code, sent: run.requests.length, error: run.error["code"] }).toEqual({
      code: 2,
      sent: 0,
      error: "usage",
    });
    expect(run.stderr).not.toMatch(/0123456789/);
  }
});

test("a redirect carries it nowhere", async () => {
  const answer = () => new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } });
  const { code, requests } = await line([...get, "--share-token", token], { answer });
  expect({ code, sent: requests.map(({ url }) => new URL(url).origin) }).toEqual({ code: 9, sent: [base] });
});

test("neither the operator's requests nor a sign-in carry it", async () => {
  const env = { HOME: emptyDirectory(), SERVICE_SHARE_TOKEN: token, OPERATOR_TOKEN: "plo_operator" };
  const { requests } = await line(["operator", "stats"], { answer: () => json({ users: 1 }), env });
  expect(requests[0]?.headers.get("x-share-token")).toBeNull();
  const answer = () => json({ username: "ada", credential: { type: "api_key", label: "ci", scopes: [] } });
  const login = await line(["login", "--token-stdin"], { answer, env, stdin: "plk_brought0123456789\n" });
  expect(login.code).toBe(0);
  expect(login.requests.map(({ headers }) => headers.get("x-share-token"))).toEqual([null]);
});

describe("it is never printed", () => {
  const shares = ["--share-token", token];
  const refuse = () => problem(400, "invalid_request", { detail: `What is ${token}?`, hint: token });
  test.each([
    ["a dry run", [...get, ...shares, "--dry-run"]],
    ["status", ["status", ...shares]],
    ["a refusal that repeats it", [...get, ...shares]],
    ["a refusal in text, with its stack", [...get, ...shares, "--debug", "--format", "text"]],
    ["a line that cannot be read", [...get, ...shares, "--nonsense", "--debug"]],
    ["another value in its place", [...get, "--share-token", "--debug", token]],
  ])("%s", async (_name, words) => {
    const { stdout, stderr } = await line(words, { answer: refuse, env: { SERVICE_SHARE_TOKEN: token } });
    expect(`${stdout}${stderr}`).not.toContain(token.slice(4));
    expect(`${stdout}${stderr}`).not.toBe("");
  });
});

test("status says whether there is one and from where; schema and help list it", async () => {
  const status = async (words: readonly string[], env: Record<string, string> = {}) =>
    (JSON.parse((await line(["status", ...words], { env })).stdout) as { shareToken: unknown }).shareToken;
  expect(await status([])).toBeNull();
  expect(await status([], { SERVICE_SHARE_TOKEN: token })).toEqual({ source: "SERVICE_SHARE_TOKEN" });
  expect(await status(["--share-token", token], { SERVICE_SHARE_TOKEN: other })).toEqual({ source: "--share-token" });
  const text = await line(["status", "--share-token", token, "--format", "text"]);
  expect(text.stdout).toMatch(/share token\s+--share-token/);
  const schema = JSON.parse((await line(["schema", "status"])).stdout) as {
    globalFlags: { name: string }[];
    env: { name: string; flag: string }[];
  };
  expect(schema.globalFlags.map(({ name }) => name)).toContain("--share-token");
  expect(schema.env).toContainEqual(expect.objectContaining({ name: "SERVICE_SHARE_TOKEN", flag: "--share-token" }));
  expect((await line(["help", "flags"])).stdout).toContain("SERVICE_SHARE_TOKEN");
});

test("what opens nothing leads to share resolve, and that needs a token", async () => {
  const answer = (status: number, code: string) => () => problem(status, code);
  const words = [...get, "--share-token", token];
  const alone = await line(words, { answer: answer(401, "unauthenticated") });
  expect({ code: alone.code, error: alone.error }).toMatchObject({
    code: 4,
    error: { next: "plinth share resolve", hint: expect.stringContaining("--share-token") },
  });
  const hidden = await line(words, { answer: answer(404, "not_found") });
  expect({ code: hidden.code, error: hidden.error }).toMatchObject({
    code: 3,
    error: { next: "plinth share resolve" },
  });
  const resolve = await line(["share", "resolve"], {});
  expect({ code: resolve.code, hint: resolve.error["hint"] }).toEqual({
    code: 2,
    hint: "Give --share-token or SERVICE_SHARE_TOKEN",
  });
  const ended = await line(["share", "resolve", "--share-token", token], { answer: answer(404, "not_found") });
  expect({ code: ended.code, hint: ended.error["hint"] }).toEqual({
    code: 3,
    hint: expect.stringContaining("revoked"),
  });
});

test("a saved login of this origin goes with it", async () => {
  const XDG_CONFIG_HOME = emptyDirectory();
  mkdirSync(join(XDG_CONFIG_HOME, "plinth"));
  writeFileSync(
    join(XDG_CONFIG_HOME, "plinth", "credentials.json"),
    JSON.stringify({ origins: { [base]: { token: "pla_saved" } } }),
    { mode: 0o600 },
  );
  expect(await sent([...get, "--share-token", token], { XDG_CONFIG_HOME })).toEqual({
    share: token,
    bearer: "Bearer pla_saved",
  });
});
