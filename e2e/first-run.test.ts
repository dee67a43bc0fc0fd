// Guarantees to the operator of an instance: the banner, one instance per data directory, a shutdown that loses no
// request, persistent data, and a PostgreSQL provided by the operator.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

import { jsonOf, send } from "./harness/http.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { hung, refusal, temporaryFolder, withinHung } from "./harness/process.ts";
import { clientOf, createArtifact, createPerson, createProject, signIn } from "./harness/people.ts";

setDefaultTimeout(2 * hung);

const dataDir = await temporaryFolder("first-run");
let instance: Instance = await startInstance({ dataDir });
afterAll(async () => {
  await instance.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("the banner on standard error says where everything is", () => {
  const banner = instance.stderr();
  expect(banner).toMatch(/plinth \d+\.\d+\.\d+/i);
  for (const part of [instance.origin, "/api", "/docs", "/mcp", dataDir, "embedded PostgreSQL"])
    expect(banner).toContain(part);
  expect(banner).not.toContain(instance.operatorToken);
});

test("no terminal gets a sign-in link, but the command for one that the operator's token makes", async () => {
  const command = /^ {2}plinth operator user sign-in-link --user-id (usr_\w{26}) --base-url (\S+)$/m.exec(
    instance.stderr(),
  );
  const [, userId = "", where] = command ?? [];
  expect(where).toBe(instance.origin);
  expect(instance.stderr()).not.toContain("/login#");
  const cookie = await signIn(instance, userId);
  const me = jsonOf(await send(`${instance.origin}/api/profile/me`, { token: cookie }));
  expect(me).toMatchObject({ userId, email: "owner@localhost", emailVerified: true, username: null });
});

test("what is generated is for the owner alone", async () => {
  expect((await stat(join(dataDir, "operator-token"))).mode & 0o777).toBe(0o600);
  expect(instance.operatorToken).toMatch(/^plo_[0-9A-Za-z]{39}$/);
});

test("a second instance on the same data directory is refused in one line", async () => {
  const { status, lines } = await refusal(dataDir, {});
  expect(status).not.toBe(0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(dataDir);
  expect((await send(`${instance.origin}/api/health`)).status).toBe(200);
});

test("SIGTERM lets requests in flight finish, and a restart keeps the data and when credentials were last used", async () => {
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  const { artifactId } = await createArtifact(person, slug);
  const session = await signIn(instance, person.userId);
  const before = Date.now();
  // Less than a minute before the end, after which uses are recorded differently.
  for (const token of [person.token, session]) await clientOf(instance.origin, token).call("profile.get", {});
  const body = Buffer.from(JSON.stringify({ content: `# Long\n${"word ".repeat(50_000)}\n` }));
  const head = [
    `POST /api/artifacts/${artifactId}/versions HTTP/1.1`,
    ...[`host: ${new URL(instance.origin).host}`, `authorization: Bearer ${person.token}`],
    ...["content-type: application/json", `content-length: ${body.length}`, "", ""],
  ].join("\r\n");
  // Each request is half sent when the signal comes, so the server has it and cannot have answered.
  const halves = Array.from({ length: 8 }, () => sayInHalves(instance.port, Buffer.concat([Buffer.from(head), body])));
  await Promise.all(halves.map(({ isSaid }) => isSaid));
  // Data sent before this request was answered has reached the server.
  expect((await send(`${instance.origin}/api/health`)).status).toBe(200);
  const ended = instance.stop();
  await Bun.sleep(300);
  const answers = await Promise.all(halves.map((half) => half.finish()));
  expect(answers.map((answer) => answer.split(" ")[1])).toEqual(answers.map(() => "201"));
  expect(await ended).toBe(0);
  const stopped = Date.now();

  instance = await startInstance({ dataDir });
  const client = clientOf(instance.origin, session);
  const { apiKeys } = await client.call("apiKey.list", {});
  const { sessions } = await client.call("session.list", {});
  for (const used of [apiKeys[0]?.lastUsedAt, sessions[0]?.lastUsedAt]) {
    expect(Date.parse(used ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(used ?? "")).toBeLessThanOrEqual(stopped);
  }
  const again = jsonOf<{ latestVersion: number }>(await send(`${instance.origin}/api/artifacts/${artifactId}`));
  expect(again.latestVersion).toBe(answers.length + 1);
  expect((await send(`${instance.origin}/api/profile/me`, { token: person.token })).status).toBe(200);
});

/** Sends the first half of a request; `finish` sends the rest and reads until the server closes or has answered. */
function sayInHalves(port: number, request: Buffer): { isSaid: Promise<void>; finish(): Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  const answer = Promise.withResolvers<string>();
  socket.on("data", (chunk) => answer.resolve(chunk.toString("latin1")));
  socket.on("error", answer.reject);
  socket.on("close", () => answer.resolve("closed without an answer"));
  const said = Promise.withResolvers<void>();
  socket.write(request.subarray(0, request.length / 2), () => said.resolve());
  return {
    isSaid: said.promise,
    finish: async () => {
      socket.write(request.subarray(request.length / 2));
      const text = await withinHung(answer.promise, () => "the request in flight got no answer");
      socket.destroy();
      return text;
    },
  };
}

test("after kill -9 the same data directory starts again", async () => {
  await instance.kill();
  instance = await startInstance({ dataDir });
  expect((await send(`${instance.origin}/api/health`)).status).toBe(200);
});
