// Every tool that succeeds answers in text alone, which has each fact that an agent needs to go on; in detail it is the
// operation's output as JSON (docs/decisions/mcp.md, "Results are text").
import { definitionOf } from "@plinth/contract/mcp/definition";
import { tools, type ToolName } from "@plinth/contract/mcp/tools";
import { createInProcessFixtures } from "@plinth/domain/test/fixtures";
import { closeThreads } from "@plinth/domain/threads/pool";
import { detailedOf, textsOf } from "@plinth/support/mcp-text";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020";

import { origin } from "../test/service.ts";
import { rightArguments, type Given } from "./test/right-arguments.ts";
import { createMcpService, modernRevision, olderRevisions } from "./test/messages.ts";

const { service, mcp } = await createMcpService();
const { setup } = service;
const fixtures = await createInProcessFixtures(setup);
const { owner, project } = fixtures;
const as = owner.token;
const content = "# One\n\n## Costs\n\nrent 20\n";
const artifact = await setup.publish(as, project.slug, { content, title: "The one", description: "About one" });
const { artifactId } = artifact;
const it = { artifactId };
await setup.call("version.create", { ...it, content: `${content}heating 30\n`, changelog: "Heating" }, { as });
await setup.call("version.patch", { ...it, versionNumber: 1, name: "As sent" }, { as });
await setup.call("shareLink.create", { ...it, role: "viewer", label: "Readers" }, { as });
const viewerEmails = ["eve@example.com", "dan@example.com"];
await setup.call("access.update", { ...it, publicView: true, publicEdit: false, viewerEmails }, { as });
const right = rightArguments({ ...fixtures, artifact });
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

/** A fact as the text says it. */
type Fact = string | number | null | undefined;

const minute = (time: string) => time.slice(0, 16).replace("T", " ");
const artifactNow = (given: Given) => setup.call("artifact.get", { artifactId: String(given["artifactId"]) }, { as });
async function ofArtifact(given: Given): Promise<Fact[]> {
  const { url, title, type, latestVersion, access } = await artifactNow(given);
  return [
    given["artifactId"] as string,
    url,
    title,
    type,
    `v${latestVersion}`,
    access.publicView ? "public" : "private",
  ];
}
async function ofNewVersion(given: Given): Promise<Fact[]> {
  const list = await setup.call("version.list", { artifactId: String(given["artifactId"]), limit: 1 }, { as });
  return list.versions.flatMap(({ url, versionNumber }) => [url, `version ${versionNumber}`]);
}
async function projectOf(slug: unknown) {
  const { projects } = await setup.call("project.listMine", { limit: 100 }, { as });
  const found = projects.find((each) => each.slug === slug);
  if (found === undefined) throw new Error(`no project ${String(slug)}`);
  return found;
}
const linksNow = async () => (await setup.call("shareLink.list", { ...it, limit: 100 }, { as })).shareLinks;

/** The facts of each tool's answer that the caller did not send, read beside it. */
const needed: { readonly [Name in ToolName]: (given: Given) => Promise<Fact[]> } = {
  whoami: async () => {
    const { username, plan, workspaceId, credential } = await setup.call("profile.get", {}, { as });
    return [username, plan, workspaceId, credential.label, credential.scopes.join(" ")];
  },
  list_projects: async () =>
    (await setup.call("project.listMine", { limit: 10 }, { as })).projects.flatMap(
      ({ projectId, ownerUsername, slug, title, artifactCount }) =>
        [projectId, `${ownerUsername}/${slug}`, title, `${artifactCount} artifact`] as const,
    ),
  create_project: async ({ slug }) => {
    const { projectId, url, ownerUsername } = await projectOf(slug);
    return [projectId, url, ownerUsername];
  },
  update_project: async ({ projectId }) => {
    const { projects } = await setup.call("project.listMine", { limit: 100 }, { as });
    return projects
      .filter((each) => each.projectId === projectId)
      .flatMap(({ url, slug, title }) => [url, slug, title]);
  },
  move_project: async ({ projectId }) => {
    const { projects } = await setup.call("project.listMine", { limit: 100 }, { as });
    return projects
      .filter((each) => each.projectId === projectId)
      .flatMap(({ url, slug, ownerUsername }) => [url, `${ownerUsername}/${slug}`]);
  },
  delete_project: () => Promise.resolve(["deleted"]),
  create_artifact: async ({ projectSlug, slug }) => {
    const path = { owner: owner.username, projectSlug: String(projectSlug), slug: String(slug) };
    const { artifactId: made, url, latestVersion } = await setup.call("artifact.getByPath", path, { as });
    return [made, url, `version ${latestVersion}`];
  },
  search_artifacts: async () =>
    (await setup.call("artifact.list", { limit: 10 }, { as })).artifacts.flatMap(
      ({ url, title, type, latestVersion, latestAt, latestBy }) =>
        [url, title, type, `v${latestVersion}`, minute(latestAt), latestBy.label] as const,
    ),
  get_artifact: async (given) => [...(await ofArtifact(given)), "About one"],
  get_artifact_preview: () => Promise.resolve([`${artifact.url}?v=2`, "can be shown", "pending"]),
  delete_artifact: ({ artifactId: deleted }) => Promise.resolve([`${origin}/`, deleted as string]),
  update_artifact_details: ofArtifact,
  undelete_artifact: async (given) => [...(await ofArtifact(given)), "0 share links"],
  explain_artifact_access: async ({ email }) => {
    const explained = await setup.call("access.explain", { ...it, email: String(email) }, { as });
    return [explained.canView ? "can view it" : "cannot view it", ...explained.because.map(({ detail }) => detail)];
  },
  get_artifact_access: () => Promise.resolve(["viewed by anyone", ...viewerEmails]),
  list_audit_events: async () =>
    (await setup.call("audit.list", { ...it, limit: 10 }, { as })).auditEvents.flatMap(
      ({ occurredAt, actor, surface }) => [minute(occurredAt), actor.label, surface] as const,
    ),
  set_artifact_access: () => Promise.resolve([artifact.url, "viewed by anyone"]),
  create_share_link: async () => [(await linksNow())[0]?.shareLinkId, `${origin}/share/pls_`, "view"],
  list_share_links: async () =>
    (await linksNow()).flatMap(
      ({ shareLinkId, role, label, useCount, createdAt }) =>
        [shareLinkId, role, label, `used ${useCount} time`, minute(createdAt)] as const,
    ),
  revoke_share_link: () => Promise.resolve([artifact.url]),
  create_upload: () => Promise.resolve([`${origin}/`, "one PUT until ", "sha256"]),
  update_artifact: ofNewVersion,
  edit_artifact: ofNewVersion,
  list_artifact_versions: async () =>
    (await setup.call("version.list", { ...it, limit: 10 }, { as })).versions.flatMap(
      ({ versionNumber, name, changelog, createdAt, createdBy, sizeBytes }) =>
        [`v${versionNumber} `, name, changelog, minute(createdAt), createdBy.label, `${sizeBytes} bytes`] as const,
    ),
  get_artifact_content: () => Promise.resolve([`${artifact.url}?v=1`, "5 lines", "lines 1 to 5", `\n${content}`]),
  diff_artifact_versions: () => Promise.resolve([artifact.url, "between versions 1 and 2", "+heating 30"]),
  restore_artifact_version: async (given) => [...(await ofNewVersion(given)), "text of version 1"],
};

/** Those that answer with a text beside its facts. */
const withText: ReadonlySet<ToolName> = new Set<ToolName>(["get_artifact_content", "diff_artifact_versions"]);

const publishing: ReadonlySet<ToolName> = new Set<ToolName>([
  "create_artifact",
  "update_artifact",
  "edit_artifact",
  "restore_artifact_version",
]);

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  let given: Given;
  beforeAll(async () => {
    given = await right[name]();
  });

  test("answers in short text alone, which begins with an address and has every fact to go on with", async () => {
    expect(ajv.validate(definitionOf(tool).inputSchema, given)).toBe(true);
    const answer = await mcp.call(name, given, { as });
    const texts = textsOf(answer);
    expect(answer.content.map(({ type }) => type)).toEqual(texts.map(() => "text"));
    const [text = ""] = texts;
    expect(text).toMatch(/^http:\/\/plinth\.test\S*/);
    expect(text.split("\n")[0]).toMatch(/\.$/);
    expect(Buffer.byteLength(text)).toBeLessThan(2000);
    const facts = await needed[name](given);
    expect(facts.length).toBeGreaterThan(0);
    const whole = texts.join("\n");
    expect(facts.filter((fact) => fact !== null && !whole.includes(String(fact)))).toEqual([]);
  });

  test("has in every protocol revision the same parts, and beside the text only the id that the app needs", async () => {
    for (const revision of [modernRevision, ...olderRevisions] as const) {
      const answer = await mcp.call(name, await right[name](), { as, revision });
      const { content: parts, _meta: meta = {}, ...others } = answer;
      expect(Object.keys(others)).toEqual(revision === modernRevision ? ["resultType"] : []);
      expect(parts).toHaveLength(withText.has(name) ? 2 : 1);
      const ours = Object.entries(meta).filter(([key]) => key.startsWith("plinth/"));
      expect(ours).toEqual(
        publishing.has(name) ? [["plinth/app", { artifactId: expect.stringMatching(/^art_/) }]] : [],
      );
    }
  });

  if (tool.hasMore) {
    test("in detail is its operation's output as JSON, and nothing else", async () => {
      const answer = await mcp.call(name, { ...given, detail: "detailed" }, { as });
      expect(answer.content).toHaveLength(1);
      const limit = "limit" in tool.operation.input.properties ? { limit: 10 } : {};
      const whole = await setup.call(tool.operation.name, { ...given, ...limit }, { as });
      expect(detailedOf(answer)).toEqual(JSON.parse(JSON.stringify(whole)) as Record<string, unknown>);
    });
  }
});
