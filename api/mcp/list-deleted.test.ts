// `search_artifacts` with `deleted`: what can be undeleted, with the identifier that undelete_artifact takes.
import { detailedOf, factsOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, expect, test } from "bun:test";

import { createMcpService, problemOf } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
const { setup } = service;
const project = await setup.project(as);
afterAll(() => service.close());

const search = (given: object) => mcp.call("search_artifacts", { ...given }, { as });
const remove = (artifactId: string) => setup.call("artifact.delete", { artifactId }, { as });

test("lists what was deleted, by its id, and undelete_artifact takes it", async () => {
  expect(textOf(await search({ deleted: true }))).toEndWith(": 0 deleted artifacts.");
  const [gone, there] = [
    await setup.publish(as, project.slug, { title: "Gone" }),
    await setup.publish(as, project.slug),
  ];
  await remove(gone.artifactId);
  const answer = await search({ deleted: true });
  const lines = textOf(answer).split("\n");
  expect(lines[0]).toEndWith(": 1 deleted artifact.");
  expect(lines[1]).toStartWith(`- ${gone.artifactId} · ${gone.url} "Gone" · md · v1 · `);
  expect(lines[2]).toBe("undelete_artifact restores one by its id, within 30 days of its deletion.");
  expect(textOf(answer)).not.toContain(there.url);
  const detailed = detailedOf(await search({ deleted: true, detail: "detailed" }));
  expect(detailed).toMatchObject({ artifacts: [{ artifactId: gone.artifactId }], nextCursor: null });
  await mcp.call("undelete_artifact", { artifactId: factsOf(answer).artifactId }, { as });
  expect(textOf(await search({ deleted: true }))).toEndWith(": 0 deleted artifacts.");
});

test("is filtered and paged as the list of own artifacts, and refuses what only a search has", async () => {
  for (const type of ["md", "html", "md"] as const)
    await remove((await setup.publish(as, project.slug, { type, content: "x" })).artifactId);
  const first = await search({ deleted: true, type: "md", project: project.slug, limit: 1 });
  expect(textOf(first)).toContain(": the first 1 deleted artifact.");
  const rest = await search({ deleted: true, type: "md", project: project.slug, cursor: factsOf(first).nextCursor });
  expect(
    textOf(rest)
      .split("\n")
      .filter((line) => line.startsWith("- ")),
  ).toHaveLength(1);
  expect(textOf(await search({ deleted: true, project: "nothing" }))).toContain(
    ' Nothing that you may see is under project "nothing": ',
  );
  expect(problemOf(await search({ deleted: true, q: "word", owner: "ada" }))).toMatchObject({
    code: "invalid_request",
    errors: [
      { path: "q", message: "cannot be sent together with deleted" },
      { path: "owner", message: "cannot be sent together with deleted" },
    ],
  });
});

test("false is a search, and a viewer is shown nothing that they could not undelete", async () => {
  const { artifactId, url } = await setup.publish(as, project.slug);
  expect(textOf(await search({ deleted: false }))).toContain(url);
  await remove(artifactId);
  const stranger = (await setup.person()).token;
  expect(textOf(await mcp.call("search_artifacts", { deleted: true }, { as: stranger }))).toEndWith(
    ": 0 deleted artifacts.",
  );
});
