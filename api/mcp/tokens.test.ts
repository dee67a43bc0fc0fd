// The cost of MCP for a model, in tokens of o200k: the list of tools, and the most common tasks of agents.
import { factsOf, textsOf } from "@plinth/support/mcp-text";
import { afterAll, expect, test } from "bun:test";

import { definitionOf } from "@plinth/contract/mcp/definition";
import { tools } from "@plinth/contract/mcp/tools";
import { closeThreads } from "@plinth/domain/threads/pool";
import { encode } from "gpt-tokenizer";

import { createService } from "../test/service.ts";
import { pageCharacters } from "./read-content.ts";
import { speakTo } from "./test/messages.ts";

const service = await createService({ maxContentBytes: 1_000_000 });
const mcp = speakTo(service);
const { token: as } = await service.setup.person();
const { slug: projectSlug } = await service.setup.project(as);
afterAll(async () => {
  await closeThreads();
  await service.close();
});

/** What a model writes and reads of a call: the name, the arguments, and the text of the result, which is all of it. */
async function costOf(name: string, given: Record<string, unknown>) {
  const answer = await mcp.call(name, given, { as });
  const read = textsOf(answer).join("\n");
  return { tokens: encode(JSON.stringify({ name, arguments: given })).length + encode(read).length, answer };
}

/** Prose of so many characters, in lines of a paragraph. */
function prose(characters: number): string {
  const sentence =
    "The herons at the northern lake were counted twice in week 47, and every observer wrote down the same figures. ";
  const paragraph = `${sentence.repeat(4).trimEnd()}\n\n`;
  return paragraph.repeat(Math.ceil(characters / paragraph.length)).slice(0, characters);
}
const access = { publicView: true, publicEdit: false };
const publish = (slug: string, content: string) =>
  service.setup.publish(as, projectSlug, { slug, content, title: "Week 47" });

test("tools/list costs at most 3,500 tokens as models get it, with all tools", () => {
  const listed = tools
    .map(definitionOf)
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const costs = listed.map((tool) => `${encode(JSON.stringify(tool)).length} ${tool.name}`);
  const largest = costs.toSorted((one, other) => parseInt(other, 10) - parseInt(one, 10)).join(", ");
  expect(
    encode(JSON.stringify(listed)).length,
    `make it an argument of another tool, or shorten one of: ${largest}`,
  ).toBeLessThanOrEqual(3500);
});

test("changing a line, comparing and sharing costs at most 500 tokens", async () => {
  const { artifactId, url } = await publish("change", `# Week 47\n\nQ3: 14 herons\n\n${prose(20_000)}`);
  const edits = [{ oldText: "Q3: 14 herons", newText: "Q4: 17 herons" }];
  const edited = await costOf("edit_artifact", { artifactId: url, edits, changelog: "Figures of Q4" });
  const compared = await costOf("diff_artifact_versions", { artifactId, fromVersion: 1, toVersion: 2 });
  const shared = await costOf("create_share_link", { artifactId, role: "viewer", expiresInDays: 7 });
  expect(compared.answer.content[1]?.text).toContain("+Q4: 17 herons");
  const tokens = edited.tokens + compared.tokens + shared.tokens;
  console.error(`change, compare, share: ${tokens} tokens`);
  expect(tokens).toBeLessThanOrEqual(500);
});

test("reading 40,000 characters costs at most 11,600 tokens", async () => {
  const { artifactId } = await publish("read", prose(pageCharacters));
  const { tokens, answer } = await costOf("get_artifact_content", { artifactId });
  expect(answer.content[1]?.text).toHaveLength(pageCharacters);
  expect(tokens).toBeLessThanOrEqual(11_600);
});

test("publishing 100 KB through an upload costs at most 250 tokens outside the upload", async () => {
  const costs: number[] = [];
  // The median, because the random parts of a URL and the hash of a text take a few tokens more or less.
  for (let n = 0; n < 11; n++) {
    const text = `${n}${prose(100_000)}`;
    const upload = await costOf("create_upload", { sizeBytes: 100_010 });
    const url = new URL(factsOf(upload.answer).url ?? "");
    const headers = { "content-type": "application/octet-stream" };
    const uploaded = await service.ask("PUT", url.pathname + url.search, { body: Buffer.from(text), headers });
    const { sha256: contentSha256 } = (await uploaded.json()) as { sha256: string };
    const given = { projectSlug, slug: `long-${n}`, type: "md", title: "Week 47", contentSha256, access };
    const published = await costOf("create_artifact", given);
    expect(factsOf(published.answer).action).toBe("created");
    costs.push(upload.tokens + published.tokens);
  }
  const median = costs.toSorted((a, b) => a - b)[5];
  console.error(`an upload of 100 KB: ${median} tokens`);
  expect(median).toBeLessThanOrEqual(250);
});
