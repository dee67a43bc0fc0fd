// The commands of people, workspaces and credentials: their names, and what they send.
import { describe, expect, test } from "bun:test";

import { weekdayOf } from "@plinth/contract/weekday";

import { json, line } from "../testing/line.ts";

const id = (prefix: string) => `${prefix}_01jd8w3c5t7k9m2n4p6q8r0s1v`;
const workspace = id("wsp");
const invitation = '{"email":"bob@example.org","role":"member"}';

async function sent(words: readonly string[]): Promise<string> {
  const { code, requests, stderr } = await line(words, { answer: () => json({ apiKeys: [], members: [] }) });
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
  const request = requests[0];
  const body = (await request?.text()) ?? "";
  return `${request?.method} ${new URL(request?.url ?? "").pathname} ${body}`.trim();
}

describe("what a line sends", () => {
  const lines: readonly (readonly [string[], string])[] = [
    [["whoami"], "GET /api/profile/me"],
    [["profile", "get"], "GET /api/profile/me"],
    [["profile", "set-username", "--username", "ada"], 'PATCH /api/profile/me {"username":"ada"}'],
    [["profile", "update", "--name", "Ada"], 'PATCH /api/profile/me {"name":"Ada"}'],
    [["keys", "list"], "GET /api/api-keys"],
    [
      ["keys", "create", "--name", "ci", "--scopes", "artifacts:read"],
      'POST /api/api-keys {"name":"ci","scopes":["artifacts:read"]}',
    ],
    [["keys", "revoke", "--api-key-id", id("key")], `DELETE /api/api-keys/${id("key")}`],
    [["keys", "rotate", "--api-key-id", id("key")], `POST /api/api-keys/${id("key")}/rotate`],
    [["agent", "list"], "GET /api/agents"],
    [["agent", "revoke", "--agent-id", id("agt")], `DELETE /api/agents/${id("agt")}`],
    [["workspace", "list"], "GET /api/workspaces"],
    [["workspace", "create", "--slug", "acme", "--name", "Acme"], 'POST /api/workspaces {"slug":"acme","name":"Acme"}'],
    [["workspace", "members", "--workspace-id", workspace], `GET /api/workspaces/${workspace}/members`],
    [
      ["workspace", "invite", "--workspace-id", workspace, "--json", invitation],
      `POST /api/workspaces/${workspace}/invitations ${invitation}`,
    ],
    [
      ["workspace", "invite", "--workspace-id", workspace, "--email", "bob@example.org", "--role", "member"],
      `POST /api/workspaces/${workspace}/invitations ${invitation}`,
    ],
    [["workspace", "invitations", "--workspace-id", workspace], `GET /api/workspaces/${workspace}/invitations`],
    [
      ["workspace", "revoke-invite", "--invitation-id", id("inv")],
      `POST /api/workspace-invitations/${id("inv")}/revoke`,
    ],
    [["workspace", "leave", "--workspace-id", workspace, "--yes"], `DELETE /api/workspaces/${workspace}/members/me`],
    [
      ["member", "set-role", "--workspace-id", workspace, "--user-id", id("usr"), "--role", "admin"],
      `PATCH /api/workspaces/${workspace}/members/${id("usr")} {"role":"admin"}`,
    ],
    [
      ["member", "remove", "--workspace-id", workspace, "--user-id", id("usr"), "--yes"],
      `DELETE /api/workspaces/${workspace}/members/${id("usr")}`,
    ],
    ...["abc", "http://localhost:3000/invitations/accept#abc"].map((token): [string[], string] => [
      ["invitation", "accept", "--invitation-token", token],
      'POST /api/workspace-invitations/accept {"token":"abc"}',
    ]),
  ];
  test.each(lines.map(([words, request]) => ({ words, request })))("$request", async ({ words, request }) => {
    expect(await sent([...words, "--quiet"])).toBe(request);
  });
});

test("--scopes takes a list, and may be given again", async () => {
  const scopes = '{"name":"ci","scopes":["artifacts:read","artifacts:create","artifacts:share"]}';
  for (const words of [
    ["--scopes", "artifacts:read,artifacts:create,artifacts:share"],
    ["--scopes", "artifacts:read", "--scopes", "artifacts:create", "--scopes", "artifacts:share"],
    ["--scopes", "artifacts:read, artifacts:create", "--scopes=artifacts:share"],
  ])
    expect(await sent(["keys", "create", "--name", "ci", ...words])).toBe(`POST /api/api-keys ${scopes}`);
});

test("the token of an invitation is not taken for the caller's own", async () => {
  const words = ["invitation", "accept", "--invitation-token", "abc", "--token", "pla_own"];
  const { requests } = await line(words, { answer: () => json({}) });
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer pla_own");
  expect(await requests[0]?.json()).toEqual({ token: "abc" });
});

test.each(["workspace leave", "member remove"])("%s needs --yes", async (path) => {
  const words = [...path.split(" "), "--workspace-id", workspace];
  const { code, requests, error } = await line(path === "member remove" ? [...words, "--user-id", id("usr")] : words);
  expect({ code, sent: requests.length, error: error["code"] }).toEqual({
    code: 2,
    sent: 0,
    error: "confirmation_needed",
  });
});

test("a secret is the last line of the text and says that it is shown once; json is the API's body", async () => {
  const body = { apiKeyId: id("key"), key: "plk_secret0123456789", name: "ci", scopes: ["artifacts:read"] };
  const words = ["keys", "create", "--name", "ci", "--scopes", "artifacts:read"];
  const text = await line([...words, "--format", "text"], { answer: () => json(body, 201) });
  expect(text.stdout.trimEnd().split("\n").at(-1)).toBe("key (shown once)  plk_secret0123456789");
  const asJson = await line([...words, "--debug"], { answer: () => json(body, 201) });
  expect(JSON.parse(asJson.stdout)).toEqual(body);
  expect(`${text.stderr}${asJson.stderr}`).toBe("");
});

test("lists are tables of one line an item", async () => {
  const actor = { type: "user", id: id("usr"), label: "ada" };
  const used = {
    apiKeyId: id("key"),
    agentId: id("agt"),
    scopes: ["artifacts:read"],
    createdBy: actor,
    expiresAt: null,
    lastUsedAt: null,
  };
  const tables: readonly (readonly [string, object, string])[] = [
    ["keys list", { apiKeys: [{ name: "ci", start: "plk_ab12", lastFour: "9xyz", ...used }] }, "plk_ab12…9xyz"],
    ["agent list", { agents: [{ name: "laptop", kind: "login", client: null, ...used }] }, "laptop"],
    [
      "workspace list",
      {
        workspaces: [
          {
            workspaceId: workspace,
            plan: "team",
            name: "Acme",
            slug: "acme",
            kind: "team",
            role: "billing_admin",
            seats: { used: 2, limit: 10 },
          },
        ],
      },
      "2 of 10",
    ],
    [
      `workspace members --workspace-id ${workspace}`,
      {
        members: [
          {
            userId: id("usr"),
            username: null,
            name: null,
            email: "bob@example.org",
            role: "viewer",
            joinedAt: "2026-01-01T00:00:00.000Z",
          },
        ],
      },
      "none yet",
    ],
    [
      `workspace invitations --workspace-id ${workspace}`,
      {
        invitations: [
          {
            invitationId: id("inv"),
            email: "bob@example.org",
            role: "admin",
            invitedBy: actor,
            expiresAt: "2026-01-01T00:00:00.000Z",
          },
        ],
      },
      "bob@example.org",
    ],
  ];
  for (const [words, page, expected] of tables) {
    const answer = () => json({ ...page, nextCursor: null });
    const { stdout } = await line([...words.split(" "), "--format", "text"], { answer });
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(stdout).toContain(expected);
  }
});

describe("the end of a key", () => {
  const expiresAt = new Date(Date.now() + 89.5 * 86_400_000).toISOString();
  const create = async (answer: object, ...words: readonly string[]) =>
    (
      await line(["keys", "create", "--name", "ci", "--scopes", "artifacts:read", ...words], {
        answer: () => json(answer),
      })
    ).stderr;

  test("is named when it is created", async () => {
    expect(await create({ expiresAt })).toBe(
      `It ends in 89 days (${weekdayOf(expiresAt)}, ${expiresAt}). Another end: --expires, none for never\n`,
    );
    expect(await create({ expiresAt }, "--expires-at", expiresAt)).toBe(
      `It ends in 89 days (${weekdayOf(expiresAt)}, ${expiresAt})\n`,
    );
    expect(await create({ expiresAt: null }, "--expires-at", "none")).toContain("never ends by itself");
    expect(await create({ expiresAt }, "--quiet")).toBe("");
  });

  const soon = new Date(Date.now() + 3.5 * 86_400_000).toISOString();
  const used = async (env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
    (
      await line([...words, "get", "art_1"], {
        env,
        answer: () => Response.json({ artifactId: "art_1" }, { headers: { "x-credential-expires-at": soon } }),
      })
    ).stderr;

  test("is warned of while it is used, where the server says that it is near", async () => {
    expect(await used({ SERVICE_TOKEN: "plk_x" })).toBe(
      `Warning: the token of SERVICE_TOKEN ends in 3 days (${soon}); plinth keys rotate makes the next one\n`,
    );
    expect(await used({ SERVICE_TOKEN: "plk_x" }, "--quiet")).toBe("");
    expect(await used({})).toBe("");
  });
});
