// For tests: arguments with which each tool succeeds, any number of times; and the same request to its route.
import { createClient } from "@plinth/contract/client";
import type { Tool, ToolName } from "@plinth/contract/mcp/tools";

import { origin, type Service } from "../../test/service.ts";

export type Given = Readonly<Record<string, unknown>>;
/** Each call returns arguments that change something, also after those of the call before. */
export type RightArguments = Readonly<Record<ToolName, () => Given | Promise<Given>>>;

interface Place {
  readonly as: string;
  readonly project: { readonly slug: string };
  /** By default public, with two readable versions. */
  readonly artifact: { readonly artifactId: string };
}

export function rightArguments({ setup }: Pick<Service, "setup">, { as, project, artifact }: Place): RightArguments {
  const it = () => ({ artifactId: artifact.artifactId });
  const another = async () => (await setup.publish(as, project.slug, { content: "another" })).artifactId;
  const access = { publicView: true, publicEdit: false };
  let sizeBytes = 0;
  return {
    whoami: () => ({}),
    list_projects: () => ({}),
    create_project: () => ({ slug: setup.name("made"), title: "Made", icon: "p" }),
    update_project: async () => {
      const { projectId } = await setup.project(as);
      return { projectId, title: "Renamed" };
    },
    delete_project: async () => ({ projectId: (await setup.project(as)).projectId }),
    create_artifact: () => {
      const slug = setup.name("new");
      return { projectSlug: project.slug, slug, type: "md", title: "New", content: "# New", access };
    },
    search_artifacts: () => ({}),
    get_artifact: it,
    get_artifact_preview: it,
    delete_artifact: async () => ({ artifactId: await another() }),
    update_artifact_details: async () => ({ artifactId: await another(), title: setup.name("Title") }),
    undelete_artifact: async () => {
      const artifactId = await another();
      await setup.call("artifact.delete", { artifactId }, { as });
      return { artifactId };
    },
    explain_artifact_access: () => ({ ...it(), email: "reader@example.com" }),
    get_artifact_access: it,
    list_audit_events: it,
    set_artifact_access: () => ({ ...it(), ...access, viewerEmails: [] }),
    create_share_link: () => ({ ...it(), role: "viewer", label: setup.name("link"), expiresAt: null }),
    list_share_links: it,
    revoke_share_link: async () => {
      const { shareLinkId } = await setup.call("shareLink.create", { ...it(), role: "viewer" }, { as });
      return { shareLinkId };
    },
    create_upload: () => ({ sizeBytes: ++sizeBytes }),
    update_artifact: () => ({ ...it(), content: setup.name("# Text"), changelog: "Newer" }),
    edit_artifact: async () => ({ artifactId: await another(), edits: [{ oldText: "another", newText: "edited" }] }),
    list_artifact_versions: it,
    get_artifact_content: () => ({ ...it(), versionNumber: 2 }),
    diff_artifact_versions: () => ({ ...it(), fromVersion: 2, toVersion: 2 }),
    restore_artifact_version: async () => ({ artifactId: await another(), versionNumber: 1 }),
  };
}

interface Asking {
  readonly as: string;
  readonly headers?: Record<string, string>;
}

/** Sends the tool's request to the route of its operation. */
export async function askRest(
  { ask }: Pick<Service, "ask">,
  { operation, renamed = {} }: Tool,
  given: Given,
  { as, headers = {} }: Asking,
): Promise<Response> {
  const input = Object.fromEntries(Object.entries(given).map(([field, value]) => [renamed[field] ?? field, value]));
  const { request } = createClient({ baseUrl: origin, headers });
  const { method, url, headers: sent, body } = request(operation.name, input as never);
  const text = body === null ? {} : { body: await new Response(body).text() };
  return ask(method, url.slice(origin.length), { as, headers: Object.fromEntries(sent), ...text });
}
