// The SDK's client of before 2026 against a running instance: directly, and through a web app that runs apart.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { until } from "../harness/events.ts";
import { jsonOf, send } from "../harness/http.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createKey, createPerson, createProject, fresh, type Person } from "../harness/people.ts";
import { freePort, hung } from "../harness/process.ts";
import { startWeb, type Web } from "../harness/web.ts";
import { liveOneLife } from "./life.ts";
import { connectOld, olderRevisions } from "./old-client.ts";

setDefaultTimeout(hung);

let instance: Instance;
let web: Web;
let person: Person;
let projectSlug: string;
beforeAll(async () => {
  const port = await freePort();
  // The address that people know is the web app's.
  instance = await startInstance({ env: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
  web = await startWeb(instance.origin, port);
  person = await createPerson(instance);
  projectSlug = (await createProject(person)).slug;
});
afterAll(async () => {
  await web.stop();
  await instance.stop();
});

const ways = [
  ["directly", () => instance.origin],
  ["through the web app", () => web.origin],
] as const;

describe.each(ways)("%s", (_, originOf) => {
  test.each(olderRevisions)("a client of %s connects, is refused a stream, and goes on without", async (revision) => {
    const { client, seen, faults } = await connectOld(originOf(), person.token, revision);
    expect(client.transport).toMatchObject({ protocolVersion: revision, sessionId: undefined });
    expect(client.getServerVersion()).toMatchObject({ name: "plinth", websiteUrl: web.origin });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, completions: {} });
    expect(client.getInstructions()).toContain("create_artifact");
    await until(() => seen.some(({ method }) => method === "GET"));
    expect(seen.filter(({ method }) => method === "GET")).toMatchObject([{ status: 405 }]);
    await client.ping();
    const { tools } = await client.listTools();
    const structured = revision !== "2025-03-26";
    expect(tools.filter(({ outputSchema }) => (outputSchema !== undefined) !== structured)).toEqual([]);
    const me = await client.callTool({ name: "whoami" });
    expect(me.content).toMatchObject([{ text: expect.stringContaining(person.username) }, ...(structured ? [] : [{}])]);
    expect(me.structuredContent !== undefined).toBe(structured);
    expect(faults).toEqual([]);
    await client.close();
  });

  test("every tool is called in one life of a document, and each answer fits the schema it has in the list", async () => {
    const { client } = await connectOld(originOf(), person.token);
    const { tools } = await client.listTools();
    const called = await liveOneLife(client);
    expect([...called].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    await client.close();
  });

  test("a long text goes and comes whole, by the link that publishing answers", async () => {
    const { client } = await connectOld(originOf(), person.token);
    const content = Array.from({ length: 20_000 }, (_, n) => `${n} – ein Satz mit Umlauten: äöü 🙂\n`).join("");
    const given = { projectSlug, slug: fresh("long"), type: "md", title: "Long", content };
    const access = { publicView: false, publicEdit: false };
    const made = await client.callTool({ name: "create_artifact", arguments: { ...given, access } });
    const { artifactId } = made.structuredContent as { artifactId: string };
    const uri = `artifact://${artifactId}/v/1`;
    expect(made.content).toMatchObject([{}, { type: "resource_link", uri, mimeType: "text/markdown", name: "Long" }]);
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: content }]);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri, name: "Long" }));
    await client.close();
  });

  test("the template's arguments complete, the second by the first", async () => {
    const { client } = await connectOld(originOf(), person.token);
    const slug = fresh("completed");
    const { artifactId } = await person.client.call("artifact.create", {
      ...{ projectSlug, slug, type: "md", title: "Completed", content: "x" },
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
    const { client } = await connectOld(originOf(), person.token);
    const refused = await client.callTool({ name: "get_artifact", arguments: { artifactId: "nobody/has/this" } });
    expect(refused).toMatchObject({ isError: true, content: [{ type: "text" }] });
    const [{ text }] = refused.content as [{ text: string }];
    expect(JSON.parse(text)).toMatchObject({ status: 404, code: "not_found" });
    // Awaited one by one: a client that is closed refuses what is under way.
    await expect(client.callTool({ name: "no_such_tool" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.readResource({ uri: "artifact://nothing" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.listPrompts()).rejects.toMatchObject({ code: -32_601 });
    await client.close();
    await expect(connectOld(originOf(), "plk_nobody")).rejects.toMatchObject({ code: 401 });
    const narrow = await connectOld(originOf(), await createKey(instance, person.userId, ["artifacts:read"]));
    const given = { name: "delete_artifact", arguments: { artifactId: "nobody/has/this" } };
    await expect(narrow.client.callTool(given)).rejects.toMatchObject({ code: 403 });
    await narrow.client.close();
  });

  test("HTTP says the same of a credential that is missing or too narrow, and where to get another", async () => {
    const url = `${originOf()}/mcp`;
    const nobody = await send(url, { method: "POST", body: { jsonrpc: "2.0", id: 1, method: "ping" } });
    expect(nobody.status).toBe(401);
    const header = nobody.headers.get("www-authenticate") ?? "";
    const metadata = /resource_metadata="([^"]+)"/.exec(header)?.[1] ?? "";
    expect(metadata).toStartWith(web.origin);
    expect(jsonOf(await send(metadata))).toMatchObject({ resource: `${web.origin}/mcp` });
    const token = await createKey(instance, person.userId, ["artifacts:read"]);
    const params = { name: "delete_artifact", arguments: { artifactId: "nobody/has/this" } };
    const narrow = await send(url, {
      method: "POST",
      token,
      headers: { accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    });
    expect(narrow.status).toBe(403);
    expect(narrow.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="artifacts:delete"');
    expect(JSON.parse(narrow.text)).toMatchObject({ id: 1, result: { isError: true } });
  });
});
