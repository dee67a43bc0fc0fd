// Which row an operation speaks of, read from its input by the words of its `resource`.
import type { Operation } from "@plinth/contract/operation";
import { uuidOf } from "@plinth/db/columns";

import type { LoadKind, LoadRequest } from "./load-statement.ts";

export interface Target {
  readonly kind: LoadKind;
  readonly request: LoadRequest;
}

/** Null where the operation names nothing. The owner may be left out: then the credential says which. */
export function targetOf(op: Operation, input: Record<string, unknown>): Target | null {
  const rule = op.resource;
  if (rule === null) return null;
  const text = (name: string) => (typeof input[name] === "string" ? input[name] : undefined);
  const owner = text("owner") ?? text("ownerUsername");
  const named = { ...(owner === undefined ? {} : { owner }) };
  const workspace = () => workspaceNamed(text("workspaceId") ?? "");
  if ("artifact" in rule) {
    const number = input["version"] ?? input["versionNumber"];
    const version = typeof number === "number" ? { version: number } : {};
    if ("optional" in rule && input["artifactId"] === undefined) return null;
    if ("picture" in rule)
      return {
        kind: "version" in version ? "versionPicture" : "picture",
        request: { artifact: uuidOf("art", text("artifactId") ?? ""), is_small: input["size"] === 600, ...version },
      };
    const kind = !("version" in rule) ? "artifact" : rule.version === "source" ? "source" : "version";
    if (rule.by === "shareLink") return { kind, request: { share_link: uuidOf("shr", text("shareLinkId") ?? "") } };
    if (rule.by === "id") return { kind, request: { ...artifactNamed(text("artifactId") ?? ""), ...version } };
    return {
      kind,
      request: { ...named, project_slug: text("projectSlug") ?? "", slug: text("slug") ?? "", ...version },
    };
  }
  if ("project" in rule) {
    if (rule.by === "id") return { kind: "project", request: { project: uuidOf("prj", text("projectId") ?? "") } };
    const place = rule.by === "workspace" ? workspace() : named;
    return { kind: "project", request: { ...place, project_slug: text("projectSlug") ?? "" } };
  }
  if (rule.by === "invitation")
    return { kind: "workspace", request: { invitation: uuidOf("inv", text("invitationId") ?? "") } };
  const isNamed = rule.by === "id" || (rule.by === "idOrOwn" && text("workspaceId") !== undefined);
  return { kind: "workspace", request: isNamed ? workspace() : named };
}

/** By its identifier or by its slug, which has no underscore; whatever is neither is malformed, and so not found. */
const workspaceNamed = (name: string): LoadRequest =>
  name.includes("_") || name === "" ? { workspace: uuidOf("wsp", name) } : { owner: name };

/**
 * By its identifier or as `owner/project/slug`; whatever is neither is malformed, and so not found. A text alone is found
 * by identifier only.
 */
function artifactNamed(name: string): LoadRequest {
  const [owner, projectSlug, slug, ...more] = name.split("/");
  if (owner === undefined || projectSlug === undefined || slug === undefined || more.length > 0)
    return { artifact: uuidOf("art", name) };
  return { owner, project_slug: projectSlug, slug };
}
