// A refusal for a missing scope or for too many requests: the HTTP response, and the result for the model.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { tools, type ToolName } from "@plinth/contract/mcp/tools";
import { scopes } from "@plinth/contract/scopes";
import { closeThreads } from "@plinth/domain/threads/pool";
import { createInProcessFixtures, type InProcessFixtures } from "@plinth/domain/test/fixtures";

import { openBrowser, registerClient, type Browser } from "../test/oauth-clients.ts";
import { createService, origin, type Service } from "../test/service.ts";
import { modernRevision, olderRevisions, problemOf, speakTo, type ToolAnswer } from "./test/messages.ts";
import { rightArguments, type Given } from "./test/right-arguments.ts";

let service: Service;
let mcp: ReturnType<typeof speakTo>;
let owner: InProcessFixtures["owner"];
let browser: Browser;
let artifactId: string;
let projectSlug: string;
/** Valid arguments, so that only the scope is missing. */
let given: ReadonlyMap<string, Given>;
let writtenBefore: [versions: number, artifacts: number];
beforeAll(async () => {
  service = await createService();
  mcp = speakTo(service);
  const fixtures = await createInProcessFixtures(service.setup);
  ({ owner } = fixtures);
  browser = await openBrowser(service, owner);
  projectSlug = fixtures.project.slug;
  ({ artifactId } = fixtures.artifact);
  const right = Object.entries(rightArguments(fixtures));
  given = new Map(await Promise.all(right.map(async ([name, make]) => [name, await make()] as const)));
  writtenBefore = await written();
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const written = () => Promise.all([service.setup.count("version"), service.setup.count("artifact")]);

const taken = tools.map(({ name, operation: { scope, alsoScopes = [] } }) => ({
  name,
  takes: scope === null ? [] : [scope, ...alsoScopes],
}));
const missing = taken.flatMap(({ name, takes }) => takes.map((scope) => ({ name, takes, scope })));

const allBut = (scope: string) => scopes.filter((one) => one !== scope);

/** Tokens of OAuth clients, by their scopes. */
const granted = new Map<string, Promise<string>>();

/** A token of an OAuth client with these scopes alone. */
function oauthToken(held: readonly string[]): Promise<string> {
  const scope = held.join(" ");
  const token =
    granted.get(scope) ??
    registerClient(service)
      .then((client) => client.connect(browser, { scope, resource: `${origin}/mcp` }))
      .then((tokens) => tokens.access_token);
  granted.set(scope, token);
  return token;
}

const without = (scope: string) => oauthToken(allBut(scope));

describe("a scope that is missing", () => {
  test("is asked of most tools, and none is left out here", () => {
    expect(missing.length).toBeGreaterThan(15);
    expect(taken.filter(({ takes }) => takes.length === 0).map(({ name }) => name)).toContain("whoami");
  });

  test.each(missing)("$name without $scope: a challenge that names all it takes, and the problem", async (row) => {
    const as = await without(row.scope);
    for (const revision of [modernRevision, ...olderRevisions] as const) {
      const sent = { as, revision, id: 9 } as const;
      const response = await mcp.send("tools/call", { name: row.name, arguments: given.get(row.name) }, sent);
      const header = response.headers.get("www-authenticate") ?? "";
      expect(response.status).toBe(403);
      expect(header).toStartWith('Bearer realm="plinth", error="insufficient_scope", scope="');
      expect(header).toEndWith('resource_metadata="http://plinth.test/.well-known/oauth-protected-resource/mcp"');
      const asked = /scope="([^"]*)"/.exec(header)?.[1]?.split(" ") ?? [];
      expect(asked).toEqual(expect.arrayContaining([...row.takes]));
      expect(new Set(asked).size).toBe(asked.length);
      const { id, result } = (await response.json()) as { id: number; result: ToolAnswer };
      expect(id).toBe(9);
      expect(problemOf(result)).toMatchObject({ code: "insufficient_scope", status: 403, requiredScope: row.scope });
    }
  });

  test.each(missing)("$name without $scope by an API key: a refusal of the tool that says what to do", async (row) => {
    const as = await service.setup.key(owner.userId, allBut(row.scope));
    for (const revision of [modernRevision, ...olderRevisions] as const) {
      const response = await mcp.send(
        "tools/call",
        { name: row.name, arguments: given.get(row.name) },
        { as, revision },
      );
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([200, null]);
      const { result } = (await response.json()) as { result: ToolAnswer };
      expect(problemOf(result)).toMatchObject({ code: "insufficient_scope", requiredScope: row.scope });
      expect(result.content[0]?.text).toContain(`Use a key that has ${row.scope}`);
    }
  });

  test("nothing was written by any of it", async () => {
    expect(await written()).toEqual(writtenBefore);
  });

  test("is asked for step by step where a tool does more than one thing", async () => {
    const as = await oauthToken(["artifacts:create"]);
    const { slug } = await service.setup.publish(owner.token, projectSlug);
    const call = { ...given.get("create_artifact"), slug, ifExists: "update" };
    const response = await mcp.send("tools/call", { name: "create_artifact", arguments: call }, { as });
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain('scope="artifacts:read artifacts:create"');
  });

  test("of resources and completion is a challenge too", async () => {
    const as = await without("artifacts:read");
    const ref = { type: "ref/resource", uri: "artifact://{artifactId}/v/{n}" };
    const asked: readonly [string, Record<string, unknown>][] = [
      ["resources/list", {}],
      ["resources/read", { uri: `artifact://${artifactId}/v/1` }],
      ["completion/complete", { ref, argument: { name: "artifactId", value: "" } }],
    ];
    for (const [method, params] of asked) {
      const response = await mcp.send(method, params, { as });
      expect(response.status).toBe(403);
      const header = response.headers.get("www-authenticate");
      // With the scopes that it has, which it would lose otherwise.
      expect(header).toContain(`error="insufficient_scope", scope="${scopes.join(" ")}"`);
      expect(await response.json()).toMatchObject({ error: { data: { code: "insufficient_scope" } } });
    }
  });

  test("of one in a batch leaves the answers of the others", async () => {
    const as = await without("artifacts:access:read");
    const call = (id: number, name: ToolName) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: given.get(name) },
    });
    const response = await service.ask("POST", "/mcp", {
      as,
      body: [call(1, "whoami"), call(2, "get_artifact_access")],
      headers: { accept: "application/json, text/event-stream" },
    });
    const answers = (await response.json()) as { id: number; result: ToolAnswer }[];
    expect([response.status, answers.map(({ id, result }) => [id, result.isError ?? false])]).toEqual([
      403,
      [
        [1, false],
        [2, true],
      ],
    ]);
  });

  test("a name that is no tool's brings nothing into the header", async () => {
    const as = await without("artifacts:read");
    const name = 'x", scope="everything", x="';
    const response = await service.ask("POST", "/mcp", {
      as,
      headers: { accept: "application/json, text/event-stream" },
      body: [
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } },
        { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "get_artifact", arguments: { artifactId } } },
      ],
    });
    expect(response.headers.get("www-authenticate")).not.toContain("everything");
  });
});

describe("too many requests", () => {
  test("of tools are results with the problem, of anything else a status, and both say when", async () => {
    const limited = await createService({ rateLimits: { reads: 3, writes: 2 } });
    try {
      const as = (await limited.setup.person()).token;
      const asked = speakTo(limited);
      const project = (slug: string) =>
        asked.send("tools/call", { name: "create_project", arguments: { slug, title: "P", icon: "p" } }, { as });
      await project("one");
      const made = await project("two");
      expect([made.status, made.headers.get("ratelimit")]).toEqual([
        200,
        expect.stringMatching(/^"writes";r=0;t=\d+$/),
      ]);
      const refused = await project("three");
      expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([200, '"writes";q=2;w=60']);
      const { result } = (await refused.json()) as { result: ToolAnswer };
      expect(problemOf(result)).toMatchObject({ code: "rate_limited", status: 429, hint: expect.any(String) });

      for (const left of [2, 1, 0]) {
        const list = await asked.send("tools/list", {}, { as });
        expect([list.status, list.headers.get("ratelimit")]).toEqual([200, expect.stringContaining(`r=${left};`)]);
      }
      const list = await asked.send("tools/list", {}, { as });
      expect([list.status, list.headers.get("content-type")]).toEqual([429, "application/problem+json"]);
      expect(Number(list.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(list.headers.get("ratelimit")).toStartWith('"reads";r=0;');
      expect(await list.json()).toMatchObject({ code: "rate_limited" });
    } finally {
      await limited.close();
    }
  });
});
