// Over MCP, an artifact without access is indistinguishable from one that does not exist: no tool, resource or
// completion tells them apart.
import { afterAll, describe, expect, test } from "bun:test";

import { tools } from "@plinth/contract/mcp/tools";
import { validArguments } from "@plinth/contract/test/cases";
import { newId } from "@plinth/db/columns";
import { createInProcessFixtures } from "@plinth/domain/test/fixtures";
import { closeThreads } from "@plinth/domain/threads/pool";

import { createMcpService, modernRevision } from "./test/messages.ts";

const { service, mcp, owner } = await createMcpService();
const fixtures = await createInProcessFixtures(service.setup);
const secret = "hushhush";
const stranger = await service.setup.person();
const projectSlug = (await service.setup.project(owner.token)).slug;
const hidden = await service.setup.publish(owner.token, projectSlug, {
  slug: secret,
  title: secret,
  content: secret,
  access: { publicView: false, publicEdit: false },
});
const link = await service.setup.call(
  "shareLink.create",
  { artifactId: hidden.artifactId, role: "viewer" },
  { as: owner.token },
);
const { shareLinkId } = link;
afterAll(async () => {
  await closeThreads();
  await service.close();
});

/** The whole response, without the sent text and its request-specific parts. */
async function answerTo(method: string, params: Record<string, unknown>, given: string): Promise<string> {
  const response = await mcp.send(method, params, { as: stranger.token, id: 1, revision: modernRevision });
  const requestId = response.headers.get("x-request-id") ?? "?";
  const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
  const text = JSON.stringify([response.status, headers, await response.text()]);
  return text.replaceAll(given, "<named>").replaceAll(requestId, "<request>");
}

const named = tools.filter(({ input }) => "artifactId" in input.properties).map((tool) => [tool.name, tool] as const);

describe("a tool", () => {
  test("names an artifact in most cases", () => expect(named.length).toBeGreaterThan(11));

  test.each(named)("%s", async (name, tool) => {
    const { ownerUsername: _, ...valid } = await validArguments(tool, fixtures);
    const ask = (artifactId: string) =>
      answerTo("tools/call", { name, arguments: { ...valid, artifactId } }, artifactId);
    const pairs = [
      [hidden.artifactId, newId("art")],
      [`${owner.username}/${projectSlug}/${secret}`, `${owner.username}/${projectSlug}/nothing`],
      [`http://plinth.test/${owner.username}/${projectSlug}/${secret}`, "http://plinth.test/nobody/none/nothing"],
      [
        `http://plinth.test/${owner.username}/${projectSlug}/${secret}?v=1`,
        "http://plinth.test/nobody/none/nothing?v=1",
      ],
    ] as const;
    for (const [there, missing] of pairs) {
      const [one, other] = [await ask(there), await ask(missing)];
      expect(one).toBe(other);
      expect(one).toContain("not_found");
    }
  });

  test("that revokes a share link", async () => {
    const ask = (id: string) =>
      answerTo("tools/call", { name: "revoke_share_link", arguments: { shareLinkId: id } }, id);
    expect(await ask(shareLinkId)).toBe(await ask(newId("shr")));
  });

  test("that publishes, in another user's project", async () => {
    const ask = (project: string, ifExists: string) =>
      answerTo(
        "tools/call",
        {
          name: "create_artifact",
          arguments: {
            ownerUsername: owner.username,
            projectSlug: project,
            slug: secret,
            type: "md",
            title: "T",
            content: "x",
            access: { publicView: true, publicEdit: false },
            ifExists,
          },
        },
        project,
      );
    for (const ifExists of ["fail", "update", "return"])
      expect(await ask(projectSlug, ifExists)).toBe(await ask("no-such-project", ifExists));
  });

  test("that finds", async () => {
    const found = await mcp.call("search_artifacts", { q: secret }, { as: stranger.token });
    expect(found.content).toEqual([{ type: "text", text: "http://plinth.test: 0 artifacts." }]);
  });
});

test("a resource", async () => {
  const ask = (artifactId: string, version = 1) =>
    answerTo("resources/read", { uri: `artifact://${artifactId}/v/${version}` }, artifactId);
  const missing = await ask(newId("art"));
  expect(await ask(hidden.artifactId)).toBe(missing);
  expect(JSON.stringify(await mcp.ask("resources/list", {}, { as: stranger.token }))).not.toContain(hidden.artifactId);
  expect(JSON.stringify(await mcp.ask("resources/list", {}, { as: owner.token }))).toContain(hidden.artifactId);
});

test("a completion", async () => {
  const ref = { type: "ref/resource", uri: "artifact://{artifactId}/v/{n}" };
  const versionsOf = (artifactId: string) =>
    answerTo(
      "completion/complete",
      { ref, argument: { name: "n", value: "" }, context: { arguments: { artifactId } } },
      artifactId,
    );
  expect(await versionsOf(hidden.artifactId)).toBe(await versionsOf(newId("art")));
  for (const value of ["", secret, hidden.artifactId, hidden.artifactId.slice(0, 10)]) {
    const argument = { name: "artifactId", value };
    const mine = await mcp.ask("completion/complete", { ref, argument }, { as: stranger.token });
    expect(mine["completion"]).toMatchObject({ values: [] });
    const theirs = await mcp.ask("completion/complete", { ref, argument }, { as: owner.token });
    expect(theirs["completion"]).toMatchObject({ values: [hidden.artifactId] });
  }
});

test("nothing of it was changed", async () => {
  const there = await service.setup.call("artifact.get", { artifactId: hidden.artifactId }, { as: owner.token });
  expect(there).toMatchObject({ latestVersion: 1, access: { publicView: false } });
});
