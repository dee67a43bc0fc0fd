// Valid messages to corrupt: every tool with arguments that succeed, and every other method, as a client of each
// revision sends them.
import { tools, type ToolName } from "@plinth/contract/mcp/tools";

import { anotherArtifact, shareLinkOf, type Fixtures } from "../harness/fixtures.ts";
import { fresh } from "../harness/people.ts";

export const revisions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"] as const;
export type Revision = (typeof revisions)[number];
export const isModern = (revision: Revision): boolean => revision === "2026-07-28";

export type Fields = Readonly<Record<string, unknown>>;

export interface Right {
  readonly method: string;
  readonly params: Fields;
}

/** Revision, program and capabilities, which each message of 2026 repeats. */
export const metaOf = (revision: Revision): Fields => ({
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
});

/** The fields of a tool's arguments with the given fixtures; a destructive tool gets a new artifact. */
const argumentsOf: Readonly<Record<ToolName, (fixtures: Fixtures) => Fields | Promise<Fields>>> = {
  whoami: () => ({}),
  list_projects: () => ({ limit: 5 }),
  create_project: () => ({ slug: fresh("made"), title: "Made", icon: "p" }),
  create_artifact: ({ project }) => ({
    projectSlug: project.slug,
    slug: fresh("new"),
    type: "md",
    title: "New",
    content: "# New\n",
    access: { publicView: true, publicEdit: false },
    ifExists: "update",
  }),
  search_artifacts: () => ({ q: "artifact", limit: 3, detail: "detailed" }),
  get_artifact: ({ artifact }) => ({ artifactId: artifact.url }),
  get_artifact_preview: ({ jsx }) => ({ artifactId: jsx.artifactId, versionNumber: 1 }),
  delete_artifact: async (fixtures) => ({ artifactId: (await anotherArtifact(fixtures)).artifactId }),
  get_artifact_access: ({ artifact }) => ({ artifactId: artifact.artifactId }),
  set_artifact_access: ({ artifact }) => ({
    artifactId: artifact.artifactId,
    publicView: true,
    publicEdit: false,
    viewerEmails: [],
  }),
  create_share_link: ({ artifact }) => ({ artifactId: artifact.artifactId, role: "viewer", label: "A link" }),
  list_share_links: ({ artifact }) => ({ artifactId: artifact.artifactId, limit: 3 }),
  revoke_share_link: async ({ owner, artifact }) => ({ shareLinkId: (await shareLinkOf(owner, artifact)).shareLinkId }),
  update_artifact: ({ artifact }) => ({ artifactId: artifact.artifactId, content: `# ${fresh("text")}\n` }),
  edit_artifact: async (fixtures) => ({
    artifactId: (await anotherArtifact(fixtures)).artifactId,
    edits: [{ oldText: "First", newText: "Edited" }],
  }),
  list_artifact_versions: ({ artifact }) => ({ artifactId: artifact.artifactId, limit: 2 }),
  get_artifact_content: ({ artifact }) => ({ artifactId: artifact.artifactId, versionNumber: 1, startLine: 1 }),
  diff_artifact_versions: ({ artifact }) => ({ artifactId: artifact.artifactId, fromVersion: 1, toVersion: 2 }),
  restore_artifact_version: ({ artifact }) => ({ artifactId: artifact.artifactId, versionNumber: 1 }),
};

/** Tools whose arguments stay valid after any number of calls. */
export const lasting: readonly ToolName[] = tools
  .map(({ name }) => name)
  .filter((name) => !["create_project", "delete_artifact", "revoke_share_link", "edit_artifact"].includes(name));

export type Calls = ReadonlyMap<ToolName, Fields>;

export async function callsOf(fixtures: Fixtures): Promise<Calls> {
  const made = tools.map(async ({ name }) => [name, await argumentsOf[name](fixtures)] as const);
  return new Map(await Promise.all(made));
}

export const toolCall = (name: string, given: unknown): Right => ({
  method: "tools/call",
  params: { name, arguments: given },
});

/** Requests other than tool calls, for either era. */
export const otherRequests = ({ artifact }: Fixtures, revision: Revision): readonly Right[] => [
  { method: "tools/list", params: {} },
  { method: "resources/list", params: {} },
  { method: "resources/templates/list", params: {} },
  { method: "resources/read", params: { uri: `artifact://${artifact.artifactId}/v/1` } },
  {
    method: "completion/complete",
    params: {
      ref: { type: "ref/resource", uri: "artifact://{artifactId}/v/{n}" },
      argument: { name: "artifactId", value: "" },
    },
  },
  ...(isModern(revision)
    ? [{ method: "server/discover", params: {} }]
    : [
        { method: "ping", params: {} },
        {
          method: "initialize",
          params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "fuzz", version: "1.0" } },
        },
      ]),
];
