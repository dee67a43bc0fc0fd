// Access, share links, audit and search against the real service, by its owner and by the holder of a link.
import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Output } from "@plinth/contract/registry";
import { scopes } from "@plinth/contract/scopes";

import { plinth, result, startHung, startService, stopHung, stopService } from "../testing/service.ts";

/** Not a time to keep: it bounds a test that hangs. */
const hung = 60_000;
let origin: string;
let ada: Record<string, string>;
let workspaceId: string;
let artifactId: string;
const nobody = { SERVICE_TOKEN: "" };

beforeAll(async () => {
  const service = await startService();
  ({ origin } = service);
  const key = `operator user api-key --user-id ${service.userId} --name owner --scopes ${scopes.join(",")}`;
  ada = { SERVICE_TOKEN: (await result<{ key: string }>(key)).key };
  ({ workspaceId } = await as<Output<"profile.get"> & { workspaceId: string }>("whoami"));
  await as("project create --slug notes --title Notes --icon N");
  const create = "artifact create --project-slug notes --slug heron --type md --title Herons --content 'Two of them'";
  ({ artifactId } = await as<Output<"artifact.create">>(`${create} --access '{"publicView":true,"publicEdit":false}'`));
}, startHung);
afterAll(stopService, stopHung);

const as = <Value>(words: string): Promise<Value> => result<Value>(words, "", ada);
const codeOf = async (words: string, env: Record<string, string> = ada) => (await plinth(words, "", env)).code;
const it = () => `--artifact-id ${artifactId}`;

test("access is set whole or in part, read back as it was, and explained", async () => {
  const set = `artifact access set ${it()}`;
  expect(await codeOf(set)).toBe(2);
  expect(await codeOf(`${set} --no-public-view --public-edit --viewer-emails none`)).toBe(7);
  const secret = { publicView: false, publicEdit: false, viewerEmails: ["bob@example.com"] };
  const whole = `${set} --no-public-view --no-public-edit --viewer-emails bob@example.com`;
  expect(await as<object>(`${whole} --check`)).toEqual({ ...secret, dryRun: true });
  expect(await as<object>(`artifact access get ${it()}`)).toMatchObject({ publicView: true });
  expect(await as<object>(whole)).toEqual(secret);
  const current = await as<object>(`artifact access get ${it()}`);
  expect(current).toEqual(secret);
  expect(await as<object>(`${set} --json '${JSON.stringify(current)}'`)).toEqual(secret);
  expect(await as<object>(`${set} --public-view`)).toEqual({ ...secret, publicView: true });
  expect(await as<object>(`${set} --no-public-view`)).toEqual(secret);
  expect(await codeOf(`artifact get ${it()}`, nobody)).toBe(3);
  expect(await codeOf(`artifact access get ${it()}`, nobody)).toBe(4);
  const explained = await as<Output<"access.explain">>(`access explain ${it()} --email ada@example.com`);
  expect(explained).toMatchObject({ canView: true, canEdit: true });
  const text = await plinth(`access explain ${it()} --email eve@example.com --format text`, "", ada);
  expect(text.stdout).toStartWith("eve@example.com cannot see it\n");
  expect(await codeOf(`access explain ${it()} --email nonsense`)).toBe(7);
});

test("a link opens its artifact alone, by token or address, until it is revoked", async () => {
  const made = await as<Output<"shareLink.create">>(`share create ${it()} --role editor --label Desk`);
  const byToken = { ...nobody, SERVICE_SHARE_TOKEN: made.token ?? "" };
  const byAddress = { ...nobody, SERVICE_SHARE_TOKEN: `${origin}/share/${made.token}` };
  expect(made.url).toEndWith(`/share/${made.token}`);
  for (const env of [byToken, byAddress]) {
    expect(await result<object>("share resolve", "", env)).toMatchObject({ artifactId, role: "editor" });
    expect((await plinth(`artifact content ${it()}`, "", env)).stdout).toBe("Two of them");
  }
  const update = `artifact update ${it()} --content three`;
  expect(await result<object>(update, "", byToken)).toMatchObject({
    versionNumber: 2,
    createdBy: { type: "share_link", label: "Desk" },
  });
  // Beside a credential, and where the credential is bad the link doesn't help.
  expect(await result<object>(`artifact get ${it()} --share-token ${made.token}`)).toMatchObject({ artifactId });
  expect(await codeOf(`artifact get ${it()} --share-token ${made.token} --token plk_nonsense`)).toBe(4);
  expect(await codeOf(`share list ${it()}`, byToken)).toBe(5);
  expect(await codeOf(`artifact delete ${it()} --yes`, byToken)).toBe(5);

  // Uses are written down by and by: what is told later, by the next test too, is told after both of them.
  const uses = async () => (await as<Output<"shareLink.list">>(`share list ${it()}`)).shareLinks[0]?.useCount;
  const until = Date.now() + hung;
  while ((await uses()) !== 2 && Date.now() < until) await Bun.sleep(100);
  expect(await uses()).toBe(2);

  const table = await plinth(`share list ${it()} --format text`, "", ada);
  expect(table.stdout).toMatch(/Desk +editor +open/);
  expect(`${table.stdout}${table.stderr}`).not.toContain(made.token ?? "");
  expect(await as<object>(`share revoke --share-link-id ${made.shareLinkId}`)).toEqual({});
  expect(await codeOf("share resolve", byToken)).toBe(3);
  expect(await codeOf(update, byToken)).toBe(4);
  expect(await codeOf(`artifact get ${it()}`, byToken)).toBe(3);
  expect((await plinth(`share list ${it()} --format text`, "", ada)).stdout).toMatch(/Desk +editor +revoked/);
  expect(await codeOf(`share create ${it()} --role viewer --expires-at 2020-01-01T00:00:00Z`)).toBe(7);
});

test("what was done is told in order, by artifact and by workspace", async () => {
  expect(await as<object>(`artifact patch ${it()} --title 'Herons, three'`)).toMatchObject({ title: "Herons, three" });
  const { auditEvents } = await as<Output<"audit.list">>(`audit list ${it()} --limit 1`);
  expect(auditEvents).toMatchObject([{ kind: "artifact.updated", surface: "cli", actor: { label: "owner" } }]);
  const created = `workspace audit --workspace-id ${workspaceId} --kind artifact.created`;
  expect((await as<Output<"audit.listInWorkspace">>(created)).auditEvents).toMatchObject([{ artifactId }]);
  const { stdout } = await plinth(`audit list ${it()} --format text`, "", ada);
  expect(stdout).toContain("ada's key owner renamed it to Herons, three");
  const lines = (await plinth(`audit list ${it()} --ndjson`, "", ada)).stdout.trimEnd().split("\n");
  expect(lines.length).toBe(stdout.trimEnd().split("\n").length);
  expect(await codeOf(`audit list ${it()} --since lately`)).toBe(2);
  expect(await codeOf(`audit list ${it()}`, nobody)).toBe(4);
  expect(await codeOf("audit list --artifact-id art_nonsense")).toBe(3);
});

test("words are found where one may see them, and what was deleted comes back", async () => {
  const found = async (env: Record<string, string>) =>
    (await result<Output<"artifact.list">>("search herons three", "", env)).artifacts.map((one) => one.artifactId);
  const until = Date.now() + hung;
  while ((await found(ada)).length === 0 && Date.now() < until) await Bun.sleep(100);
  expect(await found(ada)).toEqual([artifactId]);
  expect(await found(nobody)).toEqual([]);
  const none = await plinth("search otters --format text", "", ada);
  expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was found") });

  expect(await as<object>(`artifact delete ${it()} --yes`)).toEqual({});
  expect(await codeOf(`artifact get ${it()}`)).toBe(3);
  expect(await as<object>(`artifact undelete ${it()}`)).toMatchObject({ artifactId, title: "Herons, three" });
  expect(await as<object>(`artifact get ${it()}`)).toMatchObject({ artifactId });
});
