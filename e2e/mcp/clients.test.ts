// The SDK's client of before 2026 against a running instance: directly, and through a web app that runs apart.
import { tools } from "@plinth/contract/mcp/tools";
import { validArguments } from "@plinth/contract/test/cases";
import { factsOf, textsOf } from "@plinth/support/mcp-text";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { until } from "../harness/events.ts";
import { createFixtures, type Fixtures } from "../harness/fixtures.ts";
import { createKey, fresh } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { openBothWays, ways, type BothWays } from "./both-ways.ts";
import { connectOld, olderRevisions } from "./old-client.ts";

setDefaultTimeout(hung);

let fixtures: BothWays;
let ofCases: Fixtures;
beforeAll(async () => {
  fixtures = await openBothWays();
  ofCases = await createFixtures({ ...fixtures.instance, origin: fixtures.publicUrl });
});
afterAll(() => fixtures.close());

describe.each(ways)("%s", (way) => {
  const connect = (revision?: string, { token } = fixtures.person) =>
    connectOld(fixtures.origins[way], token, revision);

  test.each(olderRevisions)("a client of %s connects, is refused a stream, and goes on without", async (revision) => {
    const { client, seen, faults } = await connect(revision);
    expect(client.transport).toMatchObject({ protocolVersion: revision, sessionId: undefined });
    expect(client.getServerVersion()).toMatchObject({ name: "plinth", websiteUrl: fixtures.publicUrl });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
    expect(client.getInstructions()).toContain("create_artifact");
    await until(() => seen.some(({ method }) => method === "GET"));
    expect(seen.filter(({ method }) => method === "GET")).toMatchObject([{ status: 405 }]);
    await client.ping();
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    const me = await client.callTool({ name: "whoami" });
    expect(textsOf(me)).toEqual([expect.stringContaining(fixtures.person.username)]);
    expect(faults).toEqual([]);
    await client.close();
  });

  test("every tool that is listed succeeds with its case, and answers in text that begins with an address", async () => {
    const { client } = await connect(undefined, ofCases.owner);
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    for (const tool of tools) {
      const answer = await client.callTool({ name: tool.name, arguments: await validArguments(tool, ofCases) });
      expect([tool.name, factsOf(answer).url]).toEqual([tool.name, expect.stringContaining(fixtures.publicUrl)]);
    }
    await client.close();
  });

  test("a long text goes and comes whole as a resource", async () => {
    const { client } = await connect();
    const content = Array.from({ length: 20_000 }, (_, n) => `${n} – ein Satz mit Umlauten: äöü 🙂\n`).join("");
    const given = { projectSlug: fixtures.projectSlug, slug: fresh("long"), type: "md", title: "Long", content };
    const access = { publicView: false, publicEdit: false };
    const made = await client.callTool({ name: "create_artifact", arguments: { ...given, access } });
    const { artifactId = "" } = factsOf(made);
    const uri = `artifact://${artifactId}/v/1`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: content }]);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri, name: "Long" }));
    await client.close();
  });

  test("the template's arguments complete, the second by the first", async () => {
    const { client } = await connect();
    const slug = fresh("completed");
    const { artifactId } = await fixtures.person.client.call("artifact.create", {
      ...{ projectSlug: fixtures.projectSlug, slug, type: "md", title: "Completed", content: "x" },
      access: { publicView: false, publicEdit: false },
    });
    const { resourceTemplates } = await client.listResourceTemplates();
    const ref = { type: "ref/resource", uri: resourceTemplates[0]?.uriTemplate ?? "" } as const;
    const first = await client.complete({ ref, argument: { name: "artifactId", value: slug } });
    expect(first.completion.values).toEqual([artifactId]);
    const context = { arguments: { artifactId } };
    const second = await client.complete({ ref, argument: { name: "n", value: "" }, context });
    expect(second.completion.values).toEqual(["1"]);
    await client.close();
  });

  test("what is refused is told where a client looks for it", async () => {
    const { client } = await connect();
    const refused = await client.callTool({ name: "get_artifact", arguments: { artifactId: "nobody/has/this" } });
    expect(refused).toMatchObject({ isError: true, content: [{ type: "text" }] });
    const [{ text }] = refused.content as [{ text: string }];
    expect(text).toStartWith("not_found: There is nothing here");
    expect(refused).toMatchObject({ _meta: { "plinth/problem": { status: 404, code: "not_found" } } });
    // Awaited one by one: a client that is closed refuses what is under way.
    await expect(client.callTool({ name: "no_such_tool" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.readResource({ uri: "artifact://nothing" })).rejects.toMatchObject({ code: -32_602 });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["publish_report"]);
    await client.close();
    await expect(connectOld(fixtures.origins[way], "plk_nobody")).rejects.toMatchObject({ code: 401 });
    const narrow = await connectOld(
      fixtures.origins[way],
      await createKey(fixtures.instance, fixtures.person.userId, ["artifacts:read"]),
    );
    const given = { name: "delete_artifact", arguments: { artifactId: "nobody/has/this" } };
    const lacking = { status: 403, code: "insufficient_scope" };
    expect(await narrow.client.callTool(given)).toMatchObject({ isError: true, _meta: { "plinth/problem": lacking } });
    await narrow.client.close();
  });
});
