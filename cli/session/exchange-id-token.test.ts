// The id token of a CI job as the command line's credential: when it is taken, and what is sent.
import { expect, test } from "bun:test";

import { json, line } from "../testing/line.ts";

const agent = "agt_01jd8w3c5t7k9m2n4p6q8r0s1v";
const idToken = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";
const env = { SERVICE_BASE_URL: "https://plinth.test", PLINTH_AGENT: agent, PLINTH_ID_TOKEN: idToken };
const answer = ({ url }: Request) =>
  json(url.endsWith("/api/auth/oauth2/token") ? { access_token: "pla_exchanged" } : { username: "ada" });

test("is exchanged once for the requests of a run, which have the agent's token", async () => {
  const { code, requests } = await line(["artifact", "access", "get", "ada/notes/week-47"], { env, answer });
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
  const { code, error, stderr } = await line(["whoami"], { env, answer: refusal });
  expect({ exit: code, ...error }).toMatchObject({
    exit: 4,
    detail: expect.stringContaining("the id token has expired"),
    hint: expect.stringContaining("Its audience must be https://plinth.test"),
  });
  expect(stderr).not.toContain(idToken);
  expect((await line(["whoami"], { env, answer: () => json({ error: "server_error" }, 500) })).code).toBe(9);
});

test("what is no id token sends nothing; status names it and sends nothing", async () => {
  const wrong = await line(["whoami"], { env: { ...env, PLINTH_ID_TOKEN: "plk_x" } });
  expect({ code: wrong.code, sent: wrong.requests.length }).toEqual({ code: 2, sent: 0 });
  const { stdout } = await line(["status"], { env });
  expect(JSON.parse(stdout)).toMatchObject({ credential: { source: "PLINTH_ID_TOKEN", kind: "id token" } });
  expect(stdout).not.toContain(idToken);
});
