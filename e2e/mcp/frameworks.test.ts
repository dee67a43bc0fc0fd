// Agents of foreign frameworks connect unaided, and their models see whole answers: the frameworks differ in which part
// of a result they hand to the model, and some of them only hand over the text.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { Client as NewestClient, StreamableHTTPClientTransport as NewestTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { createArtifact, fresh } from "../harness/people.ts";
import { cleanEnvironment, hung } from "../harness/process.ts";
import { testDesk } from "../harness/test-site.ts";
import { frameworks, type Endpoint } from "./frameworks.ts";

setDefaultTimeout(hung);

const desk = testDesk();
let endpoint: Endpoint;
const titles = ["Sales in October", "Sales in November", "Notes of the board"];
let slugs: string[];
beforeAll(async () => {
  const { instance, owner: person, projectSlug } = desk;
  endpoint = { url: `${instance.origin}/mcp`, token: person.token };
  slugs = await Promise.all(
    titles.map(async (title) => (await createArtifact(person, projectSlug, { title, content: `# ${title}\n` })).slug),
  );
});

const addressOf = (slug: string) => `/${desk.owner.username}/${desk.projectSlug}/${slug}`;

describe.each(Object.entries(frameworks))("%s", (_name, run) => {
  test("the model may call the tools, and sees each item of a list", async () => {
    const { tools, result } = await run(endpoint, { name: "search_artifacts", given: { project: desk.projectSlug } });
    expect(tools).toContain("search_artifacts");
    expect(tools).toContain("create_share_link");
    for (const [at, title] of titles.entries()) {
      expect(result).toContain(title);
      expect(result).toContain(addressOf(slugs[at] ?? ""));
    }
  });

  test("the model publishes, and sees the address", async () => {
    const slug = fresh("framework");
    const access = { publicView: false, publicEdit: false };
    const given = {
      projectSlug: desk.projectSlug,
      slug,
      type: "md",
      title: "By an agent",
      content: "# By an agent\n",
      access,
    };
    const { result } = await run(endpoint, { name: "create_artifact", given });
    expect(result).toContain(addressOf(slug));
    const artifactId = `${desk.owner.username}/${desk.projectSlug}/${slug}`;
    expect(await desk.owner.client.call("artifact.get", { artifactId })).toMatchObject({ latestVersion: 1 });
  });

  test("the model reads a document", async () => {
    const artifactId = `${desk.owner.username}/${desk.projectSlug}/${slugs[0] ?? ""}`;
    const { result } = await run(endpoint, { name: "get_artifact_content", given: { artifactId } });
    expect(result).toContain("# Sales in October");
  });

  test("the model sees why it was refused, and what to do next", async () => {
    const access = { publicView: false, publicEdit: false };
    const given = { projectSlug: "not-there", slug: "a", type: "md", title: "A", content: "a", access };
    const { result } = await run(endpoint, { name: "create_artifact", given });
    expect(result).toContain("create_project");
  });
});

test.each(["legacy", "auto", { pin: "2026-07-28" }] as const)("the newest client connects by %j", async (mode) => {
  const client = new NewestClient({ name: "newest", version: "1.0" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${desk.owner.token}` } };
  await client.connect(new NewestTransport(new URL(endpoint.url), { requestInit }));
  await readsTheList(client);
});

test("mcp-remote bridges to a program that only speaks over standard input", async () => {
  const program = new URL("../node_modules/mcp-remote/dist/proxy.js", import.meta.url).pathname;
  const header = ["--header", `Authorization: Bearer ${desk.owner.token}`];
  const transport = new StdioClientTransport({
    command: "node",
    args: [program, endpoint.url, "--allow-http", "--transport", "http-only", ...header],
    env: cleanEnvironment(),
    stderr: "ignore",
  });
  const client = new Client({ name: "bridged", version: "1.0" });
  await client.connect(transport);
  await readsTheList(client);
});

async function readsTheList(client: Client | NewestClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("search_artifacts");
  const found = await client.callTool({ name: "search_artifacts", arguments: { project: desk.projectSlug } });
  const text = JSON.stringify(found.content);
  for (const title of titles) expect(text).toContain(title);
  await client.close();
}
