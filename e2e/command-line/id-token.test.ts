// CI without a secret: an agent that trusts an issuer, made by the command line, and jobs whose id tokens it takes. The issuer is
// a fake on this machine, which the instance's operator trusts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { tokenExchange } from "@plinth/contract/oauth";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";

import { distributions } from "../harness/distributions.ts";
import { createFixtures, type Fixtures } from "../harness/fixtures.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { fresh } from "../harness/people.ts";
import { hung, runToEnd, temporaryFolder } from "../harness/process.ts";

const subject = "repo:our-org/site:ref:refs/heads/main";
const { publicKey, privateKey } = await generateKeyPair("RS256");
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "RS256" }] };
const requested: string[] = [];

/** The issuer, and GitHub's way to ask for an id token. */
const ci = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const url = new URL(request.url);
    const issuer = url.origin;
    if (url.pathname === "/keys") return Response.json(keys);
    if (url.pathname === "/.well-known/openid-configuration")
      return Response.json({ issuer, jwks_uri: `${issuer}/keys` });
    requested.push(`${request.headers.get("authorization")} ${url.searchParams.get("audience")}`);
    return Response.json({ count: 1, value: await idToken({ aud: url.searchParams.get("audience") ?? "" }) });
  },
});
const issuer = `http://127.0.0.1:${ci.port}`;

function idToken(claims: JWTPayload): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: issuer, sub: subject, iat: now, exp: now + 300, jti: crypto.randomUUID(), ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "one" })
    .sign(privateKey);
}

let folder: string;
let instance: Instance;
let fixtures: Fixtures;
let agentId: string;

beforeAll(async () => {
  folder = await temporaryFolder("id-token");
  await mkdir(join(folder, "bin"));
  await symlink(distributions[0].command[0] ?? "", join(folder, "bin/plinth"));
  instance = await startInstance({ env: { TRUSTED_ISSUERS: issuer } });
  fixtures = await createFixtures(instance);
  const creating = "plinth agent create --name ci --scopes artifacts:read,artifacts:create,artifacts:update".split(" ");
  const made = await run([...creating, "--issuer", issuer, "--subject", subject, "--field", "agentId"], {
    SERVICE_TOKEN: fixtures.owner.token,
  });
  expect({ code: made.code, stderr: made.stderr }).toMatchObject({ code: 0 });
  agentId = made.stdout.trim();
}, hung);

afterAll(async () => {
  await ci.stop(true);
  await instance.stop();
  await rm(folder, { recursive: true });
}, hung);

const run = (words: readonly string[], env: Readonly<Record<string, string>>, cwd = folder) =>
  runToEnd(words, {
    cwd,
    env: { HOME: folder, PATH: `${folder}/bin:/usr/bin:/bin`, CI: "1", SERVICE_BASE_URL: instance.origin, ...env },
  });

const asAgent = async (claims: JWTPayload = {}) => ({
  PLINTH_AGENT: agentId,
  PLINTH_ID_TOKEN: await idToken({ aud: instance.origin, ...claims }),
});

test("the command line acts as the agent, within its scopes", async () => {
  const who = await run(["plinth", "whoami", "--field", "credential.label"], await asAgent());
  expect(who).toMatchObject({ code: 0, stdout: "ci\n" });
  expect((await run(["plinth", "agent", "list"], await asAgent())).code).toBe(5);
});

test("further commands of a job act as the agent, and elsewhere its id token is refused as used", async () => {
  const job = await asAgent();
  const who = ["plinth", "whoami", "--field", "credential.label"];
  for (let command = 1; command <= 2; command++) expect(await run(who, job)).toMatchObject({ code: 0, stdout: "ci\n" });
  const elsewhere = await run(who, { ...job, XDG_STATE_HOME: join(folder, "elsewhere") });
  expect({ code: elsewhere.code, said: elsewhere.stderr }).toEqual({
    code: 4,
    said: expect.stringContaining("the id token has been exchanged before: request a new id token"),
  });
});

test("an id token for another service, or another branch, is refused, and says what is wrong", async () => {
  const elsewhere = await run(["plinth", "whoami"], await asAgent({ aud: "https://elsewhere.example" }));
  expect({ code: elsewhere.code, said: elsewhere.stderr }).toEqual({
    code: 4,
    said: expect.stringContaining(`its audience must be ${instance.origin}`),
  });
  const branch = await run(["plinth", "whoami"], await asAgent({ sub: "repo:our-org/site:pull_request" }));
  expect({ code: branch.code, said: branch.stderr }).toEqual({
    code: 4,
    said: expect.stringContaining("does not trust the subject repo:our-org/site:pull_request"),
  });
});

test("push.sh asks GitHub for the id token of the job, and publishes as the agent", async () => {
  const name = fresh("by-job");
  const job = await mkdtemp(join(folder, "job-"));
  await writeFile(join(job, `${name}.md`), `# ${name}\n`);
  const { code, stdout, stderr } = await run(
    ["sh", join(import.meta.dir, "../../deploy/ci/push.sh")],
    {
      PLINTH_AGENT: agentId,
      PLINTH_FILES: `${name}.md`,
      PLINTH_PROJECT: `${fixtures.owner.username}/${fixtures.project.slug}`,
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
    },
    job,
  );
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("::add-mask::");
  expect(requested).toEqual([`bearer request-token ${instance.origin}`]);
  const artifact = await fixtures.owner.client.call("artifact.getByPath", {
    owner: fixtures.owner.username,
    projectSlug: fixtures.project.slug,
    slug: name,
  });
  const { auditEvents } = await fixtures.owner.client.call("audit.list", { artifactId: artifact.artifactId });
  expect(auditEvents[0]?.actor).toMatchObject({
    type: "agent",
    label: "ci",
    onBehalfOf: { userId: fixtures.owner.userId },
  });
});

test("the token endpoint answers as RFC 8693 has it, and refuses as RFC 6749 has it", async () => {
  const ask = async (more: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({
      grant_type: tokenExchange.grant,
      client_id: agentId,
      subject_token: await idToken({ aud: instance.origin }),
      subject_token_type: tokenExchange.idToken,
      ...more,
    });
    const answer = await fetch(`${instance.origin}/api/auth/oauth2/token`, { method: "POST", body });
    return { status: answer.status, cache: answer.headers.get("cache-control"), body: await answer.json() };
  };
  expect(await ask({})).toMatchObject({
    status: 200,
    cache: "no-store",
    body: { issued_token_type: tokenExchange.accessToken, token_type: "Bearer", expires_in: expect.any(Number) },
  });
  expect(await ask({ subject_token: "x" })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect(await ask({ scope: "artifacts:delete" })).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  const metadata = (await (await fetch(`${instance.origin}/.well-known/oauth-authorization-server`)).json()) as object;
  expect(metadata).toMatchObject({ grant_types_supported: expect.arrayContaining([tokenExchange.grant]) });
});
