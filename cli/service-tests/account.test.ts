// The commands of people, workspaces and credentials against the real service, by two people who are signed in.
import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Output } from "@plinth/contract/registry";

import { emptyDirectory } from "../testing/line.ts";
import { logIn } from "../testing/service-browser.ts";
import { plinth, result, startHung, startService, stopHung, stopService } from "../testing/service.ts";

const homes = { ada: emptyDirectory(), bob: emptyDirectory() };
type Name = keyof typeof homes;
const envOf = (name: Name) => ({ HOME: homes[name], SERVICE_TOKEN: "" });
const as = <Value>(name: Name, words: string): Promise<Value> => result<Value>(words, "", envOf(name));
const codeOf = async (name: Name, words: string): Promise<number> => (await plinth(words, "", envOf(name))).code;
let bobId: string;

beforeAll(async () => {
  const { origin, userId } = await startService();
  const bob = "operator user create --email bob@example.com --username bob";
  ({ userId: bobId } = await result<{ userId: string }>(bob));
  await logIn(origin, userId, homes.ada);
  await logIn(origin, bobId, homes.bob);
}, startHung);
afterAll(stopService, stopHung);

test("profile", async () => {
  expect(await as<object>("ada", "profile get")).toEqual(await as<object>("ada", "whoami"));
  expect(await as<object>("bob", "profile set-username --username bobby")).toMatchObject({ username: "bobby" });
  expect(await as<object>("bob", "profile update --name 'Bob B.'")).toMatchObject({
    username: "bobby",
    name: "Bob B.",
  });
  expect(await codeOf("bob", "profile set-username --username ada")).toBe(6);
  expect(await codeOf("bob", "profile set-username --name Bob")).toBe(2);
});

test("keys", async () => {
  const made = await as<Output<"apiKey.create">>(
    "ada",
    "keys create --name deploy --scopes artifacts:read,artifacts:create --scopes artifacts:update",
  );
  expect(made).toMatchObject({ name: "deploy", scopes: ["artifacts:read", "artifacts:create", "artifacts:update"] });
  const old = `--token ${made.key}`;
  expect((await plinth(`whoami ${old}`)).code).toBe(0);
  // A key makes no keys.
  expect((await plinth(`keys create --name more --scopes artifacts:read ${old}`)).code).toBe(5);
  const rotated = await as<Output<"apiKey.rotate">>("ada", `keys rotate --api-key-id ${made.apiKeyId}`);
  expect((await plinth(`whoami --token ${rotated.key}`)).code).toBe(0);
  expect(await as<object>("ada", `keys revoke --api-key-id ${rotated.apiKeyId}`)).toEqual({});
  expect((await plinth(`whoami --token ${rotated.key}`)).code).toBe(4);
  const table = await plinth("keys list --format text", "", envOf("ada"));
  expect(table.stdout).toContain("deploy");
  expect(table.stdout).not.toContain(made.key ?? "");
});

test("agents", async () => {
  const create = "agent create --name reviewer --scopes artifacts:read";
  // It ends with the login that makes it.
  expect(await codeOf("ada", `${create} --expires-at none`)).toBe(7);
  const { agentId, token } = await as<Output<"agent.create">>("ada", create);
  expect((await plinth(`whoami --token ${token}`)).code).toBe(0);
  const { agents } = await as<Output<"agent.list">>("ada", "agent list");
  expect(agents.map(({ kind }) => kind).toSorted()).toEqual(["agent", "login", "oauth"]);
  await as("ada", `agent revoke --agent-id ${agentId}`);
  expect((await plinth(`whoami --token ${token}`)).code).toBe(4);
});

test("a workspace from its making to its leaving", async () => {
  const { workspaceId } = await as<Output<"workspace.create">>(
    "ada",
    "workspace create --slug acme --name 'Acme Inc.'",
  );
  const there = `--workspace-id ${workspaceId}`;
  const { workspaces } = await as<Output<"workspace.list">>("ada", "workspace list");
  expect(workspaces.map(({ slug }) => slug)).toEqual(["acme", "ada"]);

  const invite = `workspace invite ${there} --json '{"email":"bob@example.com","role":"viewer"}'`;
  const first = await as<Output<"invitation.create">>("ada", invite);
  const listed = await as<Output<"invitation.list">>("ada", `workspace invitations ${there}`);
  expect(listed.invitations.map(({ invitationId }) => invitationId)).toEqual([first.invitationId]);
  expect(await as<object>("ada", `workspace revoke-invite --invitation-id ${first.invitationId}`)).toEqual({});
  expect(await codeOf("bob", `invitation accept --invitation-token ${first.url}`)).not.toBe(0);

  const { url } = await as<Output<"invitation.create">>("ada", invite);
  expect(await as<object>("bob", `invitation accept --invitation-token ${url}`)).toMatchObject({ workspaceId });
  const { members } = await as<Output<"member.list">>("bob", `workspace members ${there}`);
  expect(members.map(({ username, role }) => [username, role])).toEqual(
    expect.arrayContaining([
      ["ada", "admin"],
      ["bobby", "viewer"],
    ]),
  );
  const bob = `${there} --user-id ${bobId}`;
  expect(await codeOf("bob", `member set-role ${bob} --role admin`)).toBe(5);
  expect(await as<object>("ada", `member set-role ${bob} --role member`)).toMatchObject({ role: "member" });
  expect(await codeOf("ada", `workspace leave ${there} --yes`)).toBe(6);
  expect(await as<object>("bob", `workspace leave ${there} --yes`)).toEqual({});
  expect(await codeOf("bob", `workspace members ${there}`)).toBe(3);
  expect(await codeOf("ada", `member remove ${bob} --yes`)).toBe(3);
});
