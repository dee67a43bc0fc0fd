// The words of tools about references that lead nowhere: after each publish, and in place of "without errors" in the preview.
import { runJob } from "@plinth/domain/jobs/run";
import { testRenderer } from "@plinth/domain/thumbnails/test/renderer";
import { closeThreads } from "@plinth/domain/threads/pool";
import { factsOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, expect, test } from "bun:test";

import { missingLines } from "./missing-lines.ts";
import { createMcpService } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
const { setup } = service;
const project = (await setup.project(as)).slug;
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const call = async (name: string, given: object) => mcp.call(name, { ...given }, { as });
const linesAfterFirst = (answer: Parameters<typeof textOf>[0]) => textOf(answer).split("\n").slice(1);

const content = '# A\n\n![x](img/blue.png) ![y](a"b.png)\n\n[z](nothing.md)\n';
const lines = [
  "3 references lead nowhere:",
  '- "img/blue.png" · line 3 · no such file is published with it',
  '- "a\\"b.png" · line 3 · no such file is published with it',
  '- "nothing.md" · line 5 · no document is there',
];

test("create, update, edit and publishing on top name each reference with its line", async () => {
  const wanted = { projectSlug: project, slug: setup.name("page"), type: "md", title: "A" };
  const access = { publicView: false, publicEdit: false };
  const created = await call("create_artifact", { ...wanted, access, content });
  expect(linesAfterFirst(created)).toEqual(lines);
  const { artifactId } = factsOf(created);
  expect(linesAfterFirst(await call("update_artifact", { artifactId, content: `${content}\n` }))).toEqual(lines);
  const edits = [{ oldText: "[z](nothing.md)", newText: "" }];
  expect(linesAfterFirst(await call("edit_artifact", { artifactId, edits }))).toEqual([
    "2 references lead nowhere:",
    ...lines.slice(1, 3),
  ]);
  const onTop = await call("create_artifact", { ...wanted, access, content, ifExists: "update" });
  expect(linesAfterFirst(onTop)).toEqual(lines);
  const edited = await call("edit_artifact", { artifactId, edits: [{ oldText: content.slice(5), newText: "Plain" }] });
  expect(linesAfterFirst(edited)).toEqual([]);
});

test("a page that was loaded without errors is not called so where something is missing", async () => {
  const host = { db: setup.db, config: setup.instance.config, billing: null, renderer: testRenderer() };
  const { artifactId, url } = await setup.publish(as, project, { content });
  await runJob(host, "thumbnail", { artifactId }, "job", true);
  expect(textOf(await call("get_artifact_preview", { artifactId })).split("\n")).toEqual([
    `${url}?v=1 is shown, but some of its references lead nowhere.`,
    ...lines,
  ]);
  const { artifactId: whole } = await setup.publish(as, project, { content: "# [a](https://example.com)" });
  await runJob(host, "thumbnail", { artifactId: whole }, "job", true);
  expect(textOf(await call("get_artifact_preview", { artifactId: whole }))).toEndWith("?v=1 is shown without errors.");
});

test("those that are not listed are counted, the file that has one is named, and it is said where nothing is known", () => {
  const one = { path: "bg.png", line: 2, kind: "file" as const, file: "site.css" };
  expect(missingLines({ count: 3, references: [one] })).toEqual([
    "3 references lead nowhere:",
    '- "bg.png" · "site.css", line 2 · no such file is published with it',
    "- 2 more",
  ]);
  expect(missingLines({ count: 1, references: [one] })[0]).toBe("1 reference leads nowhere:");
  expect([missingLines(undefined), missingLines({ count: 0, references: [] })]).toEqual([[], []]);
  expect(missingLines(null)).toEqual([
    "It could not be checked in time for missing files and dead links: get_artifact_preview names them.",
  ]);
});
