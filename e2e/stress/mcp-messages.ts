// Valid messages to corrupt: every tool with arguments that succeed, and every other method, as a client of each
// revision sends them.
import { tools, type ToolName } from "@plinth/contract/mcp/tools";
import { argumentsFor, validInput } from "@plinth/contract/test/cases";

import type { Fixtures } from "../harness/fixtures.ts";

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

/** Arguments beside those of the operation's valid input, or in their place. */
const further: { readonly [Name in ToolName]?: (fixtures: Fixtures) => Fields } = {
  create_artifact: () => ({ ifExists: "update" }),
  search_artifacts: () => ({ q: "artifact", limit: 3, detail: "detailed" }),
  get_artifact: ({ artifact }) => ({ artifactId: artifact.url }),
  get_artifact_preview: ({ jsx }) => ({ artifactId: jsx.artifactId, versionNumber: 1, waitSeconds: 0 }),
  list_share_links: () => ({ limit: 3 }),
  list_artifact_versions: () => ({ limit: 2 }),
  get_artifact_content: () => ({ startLine: 1, endLine: 9, grep: "a" }),
};

/** Tools whose arguments are valid once. */
const once: ReadonlySet<ToolName> = new Set([
  "create_project",
  "delete_artifact",
  "delete_project",
  "edit_artifact",
  "move_project",
  "revoke_share_link",
  "undelete_artifact",
]);

/** Tools whose arguments stay valid after any number of calls. */
export const lasting: readonly ToolName[] = tools.map(({ name }) => name).filter((name) => !once.has(name));

export type Calls = ReadonlyMap<ToolName, Fields>;

export async function callsOf(fixtures: Fixtures): Promise<Calls> {
  const made = tools.map(async (tool) => {
    const given = argumentsFor(tool, await validInput(tool.operation.name, fixtures));
    return [tool.name, { ...given, ...further[tool.name]?.(fixtures) }] as const;
  });
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
