// The life of one document from its project to its deletion, with every tool. Knows the arguments of each tool, but of
// the answers only the identifiers and URLs.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { factsOf, type Facts } from "@plinth/support/mcp-text";

import { fresh } from "../harness/people.ts";

/** The tools that did their work. @throws where one refuses, or where its answer is not text alone */
export async function liveOneLife(client: Client): Promise<ReadonlySet<string>> {
  const called = new Set<string>();
  const did = async (name: string, given: Record<string, unknown> = {}): Promise<Facts> => {
    const facts = factsOf(await client.callTool({ name, arguments: given }));
    called.add(name);
    return facts;
  };
  const access = { publicView: true, publicEdit: false };
  const detail = "detailed";

  await did("whoami", { detail });
  const { projectSlug } = await did("create_project", { slug: fresh("life"), title: "Life", icon: "L" });
  await did("list_projects", { detail });
  const given = { projectSlug, slug: "document", type: "md", title: "Document", content: "# One\n\ntwo\n", access };
  const { artifactId } = await did("create_artifact", given);
  await did("create_artifact", { ...given, ifExists: "return" });
  await did("get_artifact", { artifactId, detail });
  await did("search_artifacts", { q: "document", detail });
  await did("edit_artifact", { artifactId, edits: [{ oldText: "two", newText: "three" }] });
  const { url } = await did("create_upload", { sizeBytes: 100 });
  const uploaded = await fetch(String(url), { method: "PUT", body: "# Other\n" });
  const { sha256: contentSha256 } = (await uploaded.json()) as { readonly sha256: string };
  await did("update_artifact", { artifactId, contentSha256 });
  await did("get_artifact_content", { artifactId, versionNumber: 2 });
  await did("diff_artifact_versions", { artifactId, fromVersion: 1, toVersion: 3 });
  await did("restore_artifact_version", { artifactId, versionNumber: 1 });
  await did("list_artifact_versions", { artifactId, detail });
  await did("get_artifact_preview", { artifactId });
  await did("get_artifact_access", { artifactId });
  await did("set_artifact_access", { artifactId, ...access, viewerEmails: ["somebody@example.com"] });
  await did("list_audit_events", { artifactId, detail });
  const { shareLinkId } = await did("create_share_link", { artifactId, role: "viewer", label: "Somebody" });
  await did("list_share_links", { artifactId, detail });
  await did("revoke_share_link", { shareLinkId });
  await did("explain_artifact_access", { artifactId, email: "somebody@example.com" });
  await did("update_artifact_details", { artifactId, title: "Renamed", slug: "renamed" });
  await did("delete_artifact", { artifactId });
  await did("undelete_artifact", { artifactId });
  const { projectId } = await did("create_project", { slug: fresh("empty"), title: "Empty", icon: "E" });
  await did("update_project", { projectId, title: "Still empty" });
  await did("delete_project", { projectId });
  return called;
}
