// A document that begins with text between two rules: every surface shows, finds and names that text.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Output } from "@plinth/contract/registry";

import { send } from "./harness/http.ts";
import { createArtifact } from "./harness/people.ts";
import { eventually, hung } from "./harness/process.ts";
import { testDesk } from "./harness/test-site.ts";
import { source } from "./harness/text-between-rules.ts";

setDefaultTimeout(2 * hung);

const desk = testDesk();
let artifact: Output<"artifact.create">;
beforeAll(async () => {
  artifact = await createArtifact(desk.owner, desk.projectSlug, { content: source });
});

const text = async (path: string, accept?: string) => {
  const answer = await send(`${desk.instance.origin}${path}`, {
    token: desk.owner.token,
    headers: accept === undefined ? {} : { accept },
  });
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return answer.text;
};
const content = (query: string) => text(`/api/artifacts/${artifact.artifactId}/content?${query}`);

/** Of the document, once it is rendered. */
const framed = (version: number) =>
  eventually(
    async () => {
      const html = await text(`/_content/p/${artifact.artifactId}/${version}`);
      return !html.includes("Still rendering") && html;
    },
    () => "the document was not rendered",
  );

test("readers see it, with the headings that the outline and its sections name", async () => {
  const html = await framed(1);
  const ids = [...html.matchAll(/<h[12] id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids).toEqual(["status", "two-risksremain"]);
  expect(html).toContain("We ship on Monday.");
  expect(await content("outline=true")).toBe("2: # Status (status)\n6: ## Two risks remain (two-risksremain)\n");
  expect(await content("section=status")).toBe(source.split("\n").slice(1).join("\n"));
  expect(await content("section=two-risksremain")).toBe("Two *risks*\nremain\n---\n\nRegards\n");
});

test("the source is byte for byte what was published", async () => {
  const { pathname } = new URL(artifact.url);
  expect(await content("")).toBe(source);
  const asText = async (path: string) =>
    (await fetch(`${desk.instance.origin}${path}`, { headers: { accept: "text/markdown" } })).text();
  expect([await asText(`${pathname}.md`), await asText(pathname)]).toEqual([source, source]);
});

test("search finds its words", async () => {
  const { client, username } = desk.owner;
  const look = async () =>
    (await client.call("artifact.list", { q: "Monday" })).artifacts.find(({ slug }) => slug === artifact.slug);
  const found = await eventually(look, () => `nothing of ${username} was found`);
  expect(JSON.stringify(found.snippet)).toContain("Monday");
});

test("a comparison has its lines, and the page is rendered as front matter where they become some", async () => {
  const { artifactId } = artifact;
  const second = "---\nstatus: We ship on Tuesday.\n---\n\nRegards\n";
  await desk.owner.client.call("version.create", { artifactId, content: second });
  const diff = await text(`/api/artifacts/${artifactId}/diff?from=1&to=2`, "text/x-diff");
  expect(diff).toContain("-# Status");
  expect(diff).toContain("+status: We ship on Tuesday.");
  const html = await framed(2);
  expect([html.includes("Tuesday"), html.includes("Regards")]).toEqual([false, true]);
  expect(await content("outline=true")).toBe("");
});
