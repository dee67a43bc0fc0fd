// The output of access, share links, audit and search: text on a terminal, and JSON for programs.
import { describe, expect, test } from "bun:test";

import { json, line } from "../testing/line.ts";

const id = (prefix: string) => `${prefix}_01jd8w3c5t7k9m2n4p6q8r0s1v`;
const artifact = ["--artifact-id", id("art")];
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const actor = { type: "api_key", id: id("key"), label: "ci", onBehalfOf: { userId: id("usr"), username: "ada" } };
const hostile = "\u001B[31mred\u001B[0m\u202E\nline";

async function text(words: readonly string[], answer: unknown, status = 200): Promise<string> {
  const { code, stdout } = await line(["--format", "text", ...words], { answer: () => json(answer, status) });
  expect(code).toBe(0);
  return stdout.trimEnd();
}
async function asJson(words: readonly string[], answer: unknown, status = 200): Promise<unknown> {
  const { code, stdout, stderr } = await line(words, { answer: () => json(answer, status) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("access", () => {
  const get = ["artifact", "access", "get", ...artifact];
  const set = ["artifact", "access", "set", ...artifact, "--public-view", "--no-public-edit", "--viewer-emails=none"];
  const object = (publicView: boolean, publicEdit: boolean, ...viewerEmails: string[]) => ({
    publicView,
    publicEdit,
    viewerEmails,
  });

  test.each([
    [
      object(false, false),
      [
        "Private: members of the workspace and holders of a share link can see it",
        "Those who publish in the workspace and holders of an edit link can edit it",
      ],
    ],
    [
      object(false, false, "a@example.org", "b@example.org"),
      [
        "Private: members of the workspace, holders of a share link and 2 people by verified email can see it",
        "  a@example.org",
        "  b@example.org",
        "Those who publish in the workspace and holders of an edit link can edit it",
      ],
    ],
    [
      object(true, true, "a@example.org"),
      [
        "Anyone with the URL can see it",
        "1 person is on the allowlist, which counts once it is private",
        "  a@example.org",
        "Anyone who is signed in can edit it",
      ],
    ],
  ])("%j in words", async (answer, said) => {
    expect((await text(get, answer)).split("\n")).toEqual(said);
    expect((await text(set, answer)).split("\n")).toEqual(said);
    expect(await asJson(get, answer)).toEqual(answer);
    expect(await asJson(set, answer)).toEqual(answer);
  });

  test("what would be says so", async () => {
    const answer = { ...object(true, false), dryRun: true };
    expect((await text([...set, "--check"], answer)).split("\n")[0]).toBe("Nothing is written. It would be so:");
  });

  test.each([
    [true, true, "can see and edit it"],
    [true, false, "can see it, and not edit it"],
    [false, false, "cannot see it"],
  ])("an explanation is sentences", async (canView, canEdit, said) => {
    const because = [
      { rule: "allowlist", detail: "Their address is on the allowlist" },
      { rule: "role", detail: "They are a member of acme" },
    ];
    const answer = { email: "a@example.org", canView, canEdit, because };
    const words = ["access", "explain", ...artifact, "--email", "a@example.org"];
    expect((await text(words, answer)).split("\n")).toEqual([
      `a@example.org ${said}`,
      "  Their address is on the allowlist",
      "  They are a member of acme",
    ]);
    expect(await asJson(words, answer)).toEqual(answer);
  });
});

describe("share links", () => {
  const link = {
    shareLinkId: id("shr"),
    artifactId: id("art"),
    role: "viewer",
    label: null,
    expiresAt: null,
    createdAt: ago(3),
    createdBy: actor,
    revokedAt: null,
    lastUsedAt: null,
    useCount: 0,
  };
  const list = ["share", "list", ...artifact];

  test("a table tells the state and the use of each", async () => {
    const shareLinks = [
      { ...link, label: hostile, useCount: 1, lastUsedAt: ago(5) },
      { ...link, label: "Ends", expiresAt: ago(-3 * 1440 - 1), useCount: 1200, lastUsedAt: ago(120) },
      { ...link, label: "Ended", expiresAt: ago(2 * 1440) },
      { ...link, label: "Revoked", expiresAt: ago(1440), revokedAt: ago(180) },
    ];
    const said = await text(list, { shareLinks, nextCursor: null });
    for (const mark of ["\u001B", "\u202E"]) expect(said).not.toContain(mark);
    expect(said.split("\n").map((row) => row.split(/ {2,}/).slice(0, 5))).toEqual([
      ["LABEL", "ROLE", "STATE", "USED", "BY"],
      ["[31mred[0m line", "viewer", "open", "once, 5 minutes ago", "API key ci, for ada"],
      ["Ends", "viewer", "open, ends in 3 days", "1,200 times, 2 hours ago", "API key ci, for ada"],
      ["Ended", "viewer", "expired 2 days ago", "never", "API key ci, for ada"],
      ["Revoked", "viewer", "revoked 3 hours ago", "never", "API key ci, for ada"],
    ]);
    expect(await text(list, { shareLinks: [], nextCursor: null })).toContain("plinth share create --help");
    expect(await asJson(list, { shareLinks, nextCursor: null })).toEqual({ shareLinks, nextCursor: null });
  });

  test("its token and address are the last lines and shown once; --field gives one alone", async () => {
    const token = "pls_0123456789abcdefABCDEF";
    const made = { ...link, token, url: `http://localhost:3000/share/${token}` };
    const create = ["share", "create", ...artifact, "--role", "viewer"];
    expect((await text(create, made, 201)).split("\n").slice(-2)).toEqual([
      `token (shown once)  ${token}`,
      `url (shown once)    ${made.url}`,
    ]);
    expect(await asJson(create, made, 201)).toEqual(made);
    for (const field of ["token", "url"] as const) {
      const { stdout } = await line([...create, "--field", field], { answer: () => json(made, 201) });
      expect(stdout).toBe(`${made[field]}\n`);
    }
  });

  test("revoking says what was done, and a program gets an empty object", async () => {
    const revoke = ["share", "revoke", "--share-link-id", id("shr")];
    const answer = () => new Response(null, { status: 204 });
    expect(await line([...revoke, "--format", "text"], { answer })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: `Revoked ${id("shr")}\n`,
    });
    expect((await line(revoke, { answer })).stdout).toBe("{}\n");
  });
});

describe("audit", () => {
  const event = {
    eventId: id("evt"),
    occurredAt: ago(3),
    kind: "artifact.deleted",
    actor,
    surface: "cli",
    workspaceId: id("wsp"),
    artifactId: id("art"),
    target: { type: "artifact", id: id("art") },
    before: null,
    after: null,
    requestId: "req-12345678",
  };
  const commands = [
    ["audit", "list", ...artifact],
    ["workspace", "audit", "--workspace-id", id("wsp")],
  ];

  test.each(commands.map((words) => ({ words })))("$words tells sentences with times", async ({ words }) => {
    const auditEvents = [
      event,
      {
        ...event,
        kind: "artifact.undeleted",
        surface: "web",
        occurredAt: ago(120),
        actor: { ...actor, label: hostile },
      },
    ];
    const page = { auditEvents, nextCursor: null };
    expect((await text(words, page)).split("\n")).toEqual([
      "3 minutes ago  cli  ada's key ci deleted it",
      "2 hours ago    web  ada's key [31mred[0m line restored it from Trash",
    ]);
    expect(await text(words, { auditEvents: [], nextCursor: null })).toStartWith("Nothing is recorded");
    expect(await asJson(words, page)).toEqual(page);
  });

  test("the program that asked over MCP is named behind the sentence, harmlessly", async () => {
    const auditEvents = [{ ...event, surface: "mcp", client: `Some client ${hostile}` }];
    const said = await text(["audit", "list", ...artifact], { auditEvents, nextCursor: null });
    expect(said).toBe("3 minutes ago  mcp  ada's key ci deleted it  (Some client [31mred[0m line)");
  });

  test("events of several artifacts say of which", async () => {
    const other = `art_${"0".repeat(26)}`;
    const said = await text(["audit", "list"], {
      auditEvents: [event, { ...event, artifactId: other }],
      nextCursor: null,
    });
    expect(said.split("\n").map((row) => row.split("deleted ")[1])).toEqual([id("art"), other]);
  });

  test("an unknown kind of event still has a sentence", async () => {
    const auditEvents = [{ ...event, kind: "artifact.painted", before: 7, after: ["x"] }];
    expect(await text(["audit", "list"], { auditEvents, nextCursor: null })).toContain("artifact.painted");
  });
});

const pages: readonly (readonly [readonly string[], string])[] = [
  [["share", "list", ...artifact], "shareLinks"],
  [["audit", "list"], "auditEvents"],
  [["workspace", "audit", "--workspace-id", id("wsp")], "auditEvents"],
  [["search", "report"], "artifacts"],
];
test.each(pages.map(([words, collection]) => ({ words, collection })))(
  "--ndjson follows the pages of $words",
  async ({ words, collection }) => {
    const answer = ({ url }: Request) => {
      const more = !new URL(url).searchParams.has("cursor");
      return json({ [collection]: [{ place: more ? 1 : 2 }], nextCursor: more ? "next" : null });
    };
    const { code, stdout, requests } = await line(["--ndjson", ...words], { answer });
    expect({ code, stdout, sent: requests.length }).toEqual({ code: 0, stdout: '{"place":1}\n{"place":2}\n', sent: 2 });
  },
);

test("a search without a hit says so rather than to publish", async () => {
  const said = await text(["search", "report"], { artifacts: [], nextCursor: null });
  expect(said).toStartWith("Nothing was found");
});
