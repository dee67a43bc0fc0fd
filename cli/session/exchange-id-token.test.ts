// The id token of a CI job as the command line's credential: when it is taken, and what is sent.
import { expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { hasFileModes } from "../files/replace-file.ts";
import { emptyDirectory, json, line, type Ran } from "../testing/line.ts";

const agent = "agt_01jd8w3c5t7k9m2n4p6q8r0s1v";
const idToken = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";
const env = { SERVICE_BASE_URL: "https://plinth.test", PLINTH_AGENT: agent, PLINTH_ID_TOKEN: idToken };
const answer = ({ url }: Request) =>
  json(
    url.endsWith("/api/auth/oauth2/token") ? { access_token: "pla_exchanged", expires_in: 3600 } : { username: "ada" },
  );
const bearers = ({ requests }: Pick<Ran, "requests">) => requests.map(({ headers }) => headers.get("authorization"));

test("is exchanged once for the requests of a run, which have the agent's token", async () => {
  const { code, requests } = await line(["artifact", "access", "get", "ada/notes/week-47"], {
    env,
    answer,
    directory: emptyDirectory(),
  });
  const [first, ...others] = requests;
  expect({ code, url: first?.url, others: others.length }).toEqual({
    code: 0,
    url: "https://plinth.test/api/auth/oauth2/token",
    others: 2,
  });
  expect(Object.fromEntries(new URLSearchParams(await first?.text()))).toEqual({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    client_id: agent,
    subject_token: idToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
  });
  for (const { headers } of others) expect(headers.get("authorization")).toBe("Bearer pla_exchanged");
});

test("further commands of a job use the token that the first one got, until it ends", async () => {
  const directory = emptyDirectory();
  const whoami = (more: object = {}, life = 3600) =>
    line(["whoami"], {
      env: { ...env, ...more },
      directory,
      answer: ({ url }) =>
        json(url.endsWith("/token") ? { access_token: `pla_of_${life}`, expires_in: life } : { username: "ada" }),
    });
  expect(bearers(await whoami({}, 3600))).toEqual([null, "Bearer pla_of_3600"]);
  expect(bearers(await whoami({}, 10))).toEqual(["Bearer pla_of_3600"]);
  // Another id token, agent or instance has another token.
  expect(bearers(await whoami({ PLINTH_ID_TOKEN: `${idToken}x` }, 59))).toEqual([null, "Bearer pla_of_59"]);
  expect(bearers(await whoami({ PLINTH_AGENT: agent.replace("01", "02") }, 20))).toEqual([null, "Bearer pla_of_20"]);
  expect(bearers(await whoami({ SERVICE_BASE_URL: "https://other.test" }, 30))).toEqual([null, "Bearer pla_of_30"]);
  // One that ends within a minute is not used again.
  expect(bearers(await whoami({ PLINTH_ID_TOKEN: `${idToken}x` }, 40))).toEqual([null, "Bearer pla_of_40"]);
});

test("commands at the same time exchange once", async () => {
  const directory = emptyDirectory();
  const ran = await Promise.all(Array.from({ length: 4 }, () => line(["whoami"], { env, answer, directory })));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(ran.flatMap(bearers).filter((bearer) => bearer === null)).toHaveLength(1);
});

test("the kept token is the user's alone, and the file does not hold the id token", async () => {
  const directory = emptyDirectory();
  const home = emptyDirectory();
  await line(["whoami"], { env: { ...env, HOME: home }, answer, directory });
  const path = join(home, ".local/state/plinth/exchanged-tokens.json");
  const text = await readFile(path, "utf8");
  expect(text).toContain("pla_exchanged");
  for (const part of [idToken, ...idToken.split(".")]) expect(text).not.toContain(part);
  if (hasFileModes) expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("where the token cannot be kept the command works, and says that the next one needs a new id token", async () => {
  const home = emptyDirectory();
  await writeFile(join(home, ".local"), "not a folder");
  const ran = await line(["whoami"], { env: { ...env, HOME: home }, answer, directory: emptyDirectory() });
  expect(bearers(ran)).toEqual([null, "Bearer pla_exchanged"]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining("another command of this job needs a new id token"),
  });
});

test("a refused exchange keeps nothing, and is sent once where nothing can be kept", async () => {
  const home = emptyDirectory();
  const refused = () => json({ error: "invalid_grant", error_description: "no" }, 400);
  const context = { env: { ...env, HOME: home }, directory: emptyDirectory() };
  expect((await line(["whoami"], { ...context, answer: refused })).requests).toHaveLength(1);
  expect(bearers(await line(["whoami"], { ...context, answer }))).toEqual([null, "Bearer pla_exchanged"]);
  const full = emptyDirectory();
  await writeFile(join(full, ".local"), "not a folder");
  const ran = await line(["whoami"], { env: { ...env, HOME: full }, answer: refused, directory: emptyDirectory() });
  expect({ code: ran.code, sent: ran.requests.length }).toEqual({ code: 4, sent: 1 });
});

test("a token that is given goes before it", async () => {
  const { requests } = await line(["whoami"], { env: { ...env, SERVICE_TOKEN: "plk_given" }, answer });
  expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer plk_given"]);
});

test("without an agent it is not used, which is said", async () => {
  const { PLINTH_AGENT: _, ...without } = env;
  const { requests, stderr } = await line(["whoami"], { env: without, answer });
  expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual([null]);
  expect(stderr).toContain("without PLINTH_AGENT");
});

test("a refusal says why, with the audience that is needed, and never the token", async () => {
  const refusal = () => json({ error: "invalid_grant", error_description: "the id token has expired" }, 400);
  const { code, error, stderr } = await line(["whoami"], { env, answer: refusal, directory: emptyDirectory() });
  expect({ exit: code, ...error }).toMatchObject({
    exit: 4,
    detail: expect.stringContaining("the id token has expired"),
    hint: expect.stringContaining("Its audience must be https://plinth.test"),
  });
  expect(stderr).not.toContain(idToken);
  expect(
    (
      await line(["whoami"], {
        env,
        answer: () => json({ error: "server_error" }, 500),
        directory: emptyDirectory(),
      })
    ).code,
  ).toBe(9);
});

test("what is no id token sends nothing; status names it and sends nothing", async () => {
  const wrong = await line(["whoami"], { env: { ...env, PLINTH_ID_TOKEN: "plk_x" } });
  expect({ code: wrong.code, sent: wrong.requests.length }).toEqual({ code: 2, sent: 0 });
  const { stdout } = await line(["status"], { env });
  expect(JSON.parse(stdout)).toMatchObject({ credential: { source: "PLINTH_ID_TOKEN", kind: "id token" } });
  expect(stdout).not.toContain(idToken);
});
