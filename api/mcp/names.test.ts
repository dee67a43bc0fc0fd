// The names that tools accept for an artifact: its identifier, the URL of any of its pages, and its path.
import { factsOf, sourceOf, textsOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { origin } from "../test/service.ts";
import { createMcpService, problemOf } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
const { slug } = await service.setup.project(as);
const artifact = await service.setup.publish(as, slug, { content: "one" });
await service.setup.call("version.create", { artifactId: artifact.artifactId, content: "two" }, { as });
const path = `${artifact.ownerUsername}/${artifact.projectSlug}/${artifact.slug}`;
afterAll(() => service.close());

const found = async (artifactId: string) => factsOf(await mcp.call("get_artifact", { artifactId }, { as })).artifactId;
const read = async (given: Record<string, unknown>) => sourceOf(await mcp.call("get_artifact_content", given, { as }));

describe("an artifact is found", () => {
  test("by its identifier, its path and its address", async () => {
    for (const name of [artifact.artifactId, path, artifact.url, artifact.url.replace("http:", "HTTP:")])
      expect(await found(name)).toBe(artifact.artifactId);
  });

  test("by the address of any of its pages", async () => {
    for (const page of [
      "/",
      "/history",
      "/history/",
      "/settings",
      "/settings/access",
      "?v=1",
      "?v=x",
      "#top",
      "/history?v=1",
    ])
      expect(await found(artifact.url + page)).toBe(artifact.artifactId);
  });

  test("also where its slug is the name of a page", async () => {
    const { artifactId, url } = await service.setup.publish(as, artifact.projectSlug, { slug: "history" });
    for (const name of [url, `${url}/history`]) expect(await found(name)).toBe(artifactId);
  });

  test("by tools that write, too", async () => {
    const { artifactId, url, slug } = await service.setup.publish(as, artifact.projectSlug);
    const edits = [{ oldText: slug, newText: "changed" }];
    for (const [tool, given] of [
      ["edit_artifact", { edits }],
      ["update_artifact", { content: "three" }],
      ["restore_artifact_version", { versionNumber: 1 }],
      ["set_artifact_access", { publicView: false, publicEdit: false, viewerEmails: [] }],
      ["create_share_link", { role: "viewer" }],
      ["delete_artifact", {}],
    ] as const)
      textsOf(await mcp.call(tool, { artifactId: url, ...given }, { as }));
    expect((await service.setup.refusal("artifact.get", { artifactId }, { as })).code).toBe("not_found");
  });
});

describe("a version", () => {
  test("is what the address says, unless the call says another", async () => {
    const artifactId = `${artifact.url}?v=1`;
    expect(await read({ artifactId })).toBe("one");
    expect(await read({ artifactId, versionNumber: 2 })).toBe("two");
    expect(await read({ artifactId: artifact.url })).toBe("two");
    const preview = await mcp.call("get_artifact_preview", { artifactId }, { as });
    expect(factsOf(preview)).toMatchObject({ versionNumber: 1, url: artifactId });
  });

  test("that never was is not found, and one that is no number is none", async () => {
    const ask = (version: string) =>
      mcp.call("get_artifact_content", { artifactId: `${artifact.url}?v=${version}` }, { as });
    expect(problemOf(await ask("9"))["code"]).toBe("not_found");
    for (const version of ["0", "-1", "1.5", "", "99999999999"]) expect(sourceOf(await ask(version))).toBe("two");
  });
});

describe("what names no artifact", () => {
  test.each(["https://example.org/ada/notes/report", `${origin}.example.org/a/b/c`, "https://plinth.test/a/b/c"])(
    "%s is another site's address, and that is said",
    async (artifactId) => {
      const { code, errors } = problemOf(await mcp.call("get_artifact", { artifactId }, { as }));
      const message = `is not an address of this instance, ${origin}`;
      expect({ code, errors }).toEqual({ code: "invalid_request", errors: [{ path: "artifactId", message }] });
    },
  );

  test("a share link's address is told from an artifact's, and its token is not said back", async () => {
    const link = await service.setup.call(
      "shareLink.create",
      { artifactId: artifact.artifactId, role: "viewer" },
      { as },
    );
    const answer = await mcp.call("get_artifact", { artifactId: link.url ?? "" }, { as });
    const problem = problemOf(answer);
    expect(problem["code"]).toBe("invalid_request");
    expect(problem["detail"]).toContain("ask for the artifact's own address or its id");
    expect(answer.content[0]?.text).not.toContain(link.token ?? "");
  });

  test.each([
    "",
    "art_1",
    "a/b",
    "a/b/c/d",
    `${origin}/`,
    `${origin}/dashboard`,
    `${origin}/a/b/c/d`,
    "artifact://x/v/1",
  ])("%j is not found, with the answer of a hidden artifact", async (artifactId) => {
    const { code, detail } = problemOf(await mcp.call("get_artifact", { artifactId }, { as }));
    expect({ code, detail }).toEqual({ code: "not_found", detail: "There is nothing here, or you may not see it" });
  });
});
