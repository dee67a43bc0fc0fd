// `get_artifact_content`: parts of a text, and how the answer says where to go on.
import { factsOf, sourceOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, expect, test } from "bun:test";

import { createMcpService, problemOf } from "./test/messages.ts";
import { pageCharacters } from "./read-content.ts";

const { service, mcp, as } = await createMcpService();
const project = (await service.setup.project(as)).slug;
const content = `# Report\n\n## Costs\n\nrent 20\n\n## Long\n\n${`${"x".repeat(999)}\n`.repeat(60)}end\n`;
const { artifactId, url } = await service.setup.publish(as, project, { content });
afterAll(() => service.close());

const read = (given: Record<string, unknown>) => mcp.call("get_artifact_content", { artifactId, ...given }, { as });
const textsOf = async (given: Record<string, unknown>) => {
  const answer = await read(given);
  return [textOf(answer), sourceOf(answer)];
};

test("get_artifact_content: outline has the headings, and each slug is a section", async () => {
  expect(await textsOf({ outline: true })).toEqual([
    `${url}?v=1 has 69 lines; 3 lines found.`,
    "1: # Report (report)\n3: ## Costs (costs)\n7: ## Long (long)\n",
  ]);
  expect(await textsOf({ section: "costs" })).toEqual([
    `${url}?v=1 has 69 lines; this is lines 3 to 6.`,
    "## Costs\n\nrent 20\n\n",
  ]);
});

test("get_artifact_content: a section longer than a page is read on by its nextLine", async () => {
  let text = "";
  let startLine: number | undefined;
  do {
    const answer = await read({ section: "long", ...(startLine !== undefined && { startLine }) });
    text += sourceOf(answer);
    startLine = factsOf(answer).nextLine;
  } while (startLine !== undefined);
  expect(text).toBe(content.slice(content.indexOf("## Long")));
});

test("get_artifact_content: grep has as many lines as a page holds, and says where to go on", async () => {
  const answer = await read({ grep: "XXX" });
  const text = sourceOf(answer);
  expect(text.length).toBeLessThanOrEqual(pageCharacters);
  const { nextLine, found } = factsOf(answer);
  expect(found).toBe(60);
  const lines = text.trimEnd().split("\n");
  expect(nextLine).toBe(Number.parseInt(lines.at(-1) ?? "", 10) + 1);
  expect(factsOf(await read({ grep: "XXX", startLine: nextLine })).found).toBe(60 - lines.length);
});

test("get_artifact_content: grep with more lines than are found at once goes on where the REST API does", async () => {
  const many = await service.setup.publish(as, project, { content: "a\n".repeat(2500) });
  const found: string[] = [];
  for (let startLine: number | undefined = 1; startLine !== undefined;) {
    const { artifactId: of } = many;
    const answer = await mcp.call("get_artifact_content", { artifactId: of, grep: "A", startLine }, { as });
    const path = `/api/artifacts/${of}/content?grep=A&startLine=${startLine}`;
    const { headers, ...rest } = await service.ask("GET", path, { as }).then(async (response) => ({
      headers: response.headers,
      text: await response.text(),
    }));
    expect(answer.content[1]?.text).toBe(rest.text);
    const nextLine = factsOf(answer).nextLine;
    expect(headers.get("x-artifact-next-line")).toBe(nextLine === undefined ? null : String(nextLine));
    if (nextLine !== undefined)
      expect(answer.content[0]?.text).toEndWith(
        `the first 1000 lines found, too many for one answer: send startLine ${nextLine} for more.`,
      );
    found.push(rest.text);
    startLine = nextLine;
  }
  expect(found.length).toBe(3);
  expect(found.join("")).toBe(Array.from({ length: 2500 }, (_, n) => `${n + 1}: a\n`).join(""));
});

test("get_artifact_content: an outline of one long line ends, and goes on at the next line", async () => {
  const text = `${`<h1>${"h".repeat(190)}</h1>`.repeat(300)}\n<h2>Last</h2>\n`;
  const long = await service.setup.publish(as, project, { type: "html", content: text });
  const answer = await mcp.call("get_artifact_content", { artifactId: long.artifactId, outline: true }, { as });
  expect(answer.content[1]?.text?.length).toBeLessThanOrEqual(pageCharacters);
  expect(factsOf(answer).nextLine).toBe(2);
});

test("get_artifact_content: of a found line longer than a page the beginning is shown", async () => {
  const text = `${"y".repeat(pageCharacters + 1)} herons\nherons\n`;
  const long = await service.setup.publish(as, project, { content: text });
  const answer = await mcp.call("get_artifact_content", { artifactId: long.artifactId, grep: "herons" }, { as });
  expect(sourceOf(answer)).toBe(`1: ${"y".repeat(997)}…\n2: herons\n`);
});

test("get_artifact_content: a section that does not exist is refused with those that do", async () => {
  expect(problemOf(await read({ section: "cost" }))).toMatchObject({
    code: "invalid_request",
    errors: [{ path: "section", message: "is no heading; did you mean costs?" }],
  });
});
