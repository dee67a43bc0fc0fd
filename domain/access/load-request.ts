// From a call to the request that `load` gets: the caller's credentials, and the resource that the input names by the
// words of the operation's `resource`.
import type { ArtifactResource, Operation, ProjectResource, WorkspaceResource } from "@plinth/contract/operation";
import type { IdPrefix } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";

import type { Credential, RequestCredentials, Share } from "./call.ts";
import type { LoadKind, LoadRequest } from "./load-statement.ts";

/** The part of a request that identifies the caller and its share links. */
export const callerRequest = ({ credential, share, held }: RequestCredentials): LoadRequest => ({
  ...credentialRequest(credential),
  ...shareRequest(share),
  ...(held === undefined ? {} : { held }),
});

function credentialRequest(credential: Credential): LoadRequest {
  switch (credential.kind) {
    case "key":
      return { hash: credential.hash };
    case "oauth":
      return { oauth: credential.hash, ...(credential.at !== undefined && { oauth_at: credential.at }) };
    case "session":
      return { session: credential.token };
    case "known":
      return knownRequest(credential.credentialId);
    default:
      return {};
  }
}

function knownRequest(credentialId: string): LoadRequest {
  if (credentialId.startsWith("ses_")) return { session_id: uuidOf("ses", credentialId) };
  return { credential: uuidOf(credentialId.startsWith("key_") ? "key" : "agt", credentialId) };
}

const shareRequest = ({ hash, granted }: Share = {}): LoadRequest => ({
  ...(hash === undefined ? {} : { share: hash }),
  ...(granted === undefined ? {} : { grants: granted.map((shareLinkId) => uuidOf("shr", shareLinkId)) }),
});

export interface Target {
  readonly kind: LoadKind;
  readonly request: LoadRequest;
}

/** The resource that the input names; null where it names none. Without an owner, the credential says which. */
export function targetOf({ resource }: Operation, input: Record<string, unknown>): Target | null {
  if (resource === null || (resource.by === "optionalId" && input["artifactId"] === undefined)) return null;
  if (resource.load === "workspace") return { kind: "workspace", request: workspaceRequest(resource, input) };
  if (resource.load === "project") return { kind: "project", request: projectRequest(resource, input) };
  if (resource.by === "sourcePath") return { kind: "artifactOfSource", request: sourcePathRequest(input) };
  const number = input["version"] ?? input["versionNumber"];
  const version = typeof number === "number" ? { version: number } : {};
  const path = resource.load === "file" ? { path: textIn(input, "path") ?? "" } : {};
  if (resource.load !== "thumbnail")
    return { kind: resource.load, request: { ...artifactRequest(resource, input), ...version, ...path } };
  return {
    kind: "version" in version ? "versionThumbnail" : "thumbnail",
    request: { artifact: idIn(input, "art", "artifactId"), is_small: input["size"] === 600, ...version },
  };
}

const textIn = (input: Record<string, unknown>, name: string): string | undefined =>
  typeof input[name] === "string" ? input[name] : undefined;

const idIn = (input: Record<string, unknown>, prefix: IdPrefix, name: string): string =>
  uuidOf(prefix, textIn(input, name) ?? "");

/** A part of an address, which is found in any case. */
const nameIn = (input: Record<string, unknown>, name: string): string => (textIn(input, name) ?? "").toLowerCase();

function ownerIn(input: Record<string, unknown>): LoadRequest {
  const owner = textIn(input, "owner") ?? textIn(input, "ownerUsername");
  return owner === undefined ? {} : { owner: owner.toLowerCase() };
}

function workspaceRequest({ by }: WorkspaceResource, input: Record<string, unknown>): LoadRequest {
  if (by === "invitation") return { invitation: idIn(input, "inv", "invitationId") };
  const name = textIn(input, "workspaceId");
  return by === "id" || (by === "idOrOwn" && name !== undefined) ? workspaceNamed(name ?? "") : ownerIn(input);
}

function projectRequest({ by }: ProjectResource, input: Record<string, unknown>): LoadRequest {
  if (by === "id") return projectNamed(textIn(input, "projectId") ?? "");
  const place = by === "workspace" ? workspaceNamed(textIn(input, "workspaceId") ?? "") : ownerIn(input);
  return { ...place, project_slug: nameIn(input, "projectSlug") };
}

function artifactRequest({ by }: ArtifactResource, input: Record<string, unknown>): LoadRequest {
  if (by === "shareLink") return { share_link: idIn(input, "shr", "shareLinkId") };
  if (by !== "path") return artifactNamed(textIn(input, "artifactId") ?? "");
  return { ...ownerIn(input), project_slug: nameIn(input, "projectSlug"), slug: nameIn(input, "slug") };
}

/** What a relative link in a project may lead to, the first choice first. */
function sourcePathRequest(input: Record<string, unknown>): LoadRequest {
  const path = (textIn(input, "path") ?? "").replace(/\/+$/, "");
  const folder = path === "" ? "" : `${path}/`;
  const paths = [path, ...extensions.map((extension) => path + extension), ...indexes.map((index) => folder + index)];
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:md|markdown|html?|jsx|tsx)$/i, "");
  return {
    ...ownerIn(input),
    project_slug: nameIn(input, "projectSlug"),
    path,
    source_paths: [...new Set(paths.map((one) => one.toLowerCase()))],
    slug: name.toLowerCase(),
  };
}

const extensions = [".md", ".markdown", ".html", ".htm", ".jsx", ".tsx"];
const indexes = ["readme", "index"].flatMap((name) => extensions.map((extension) => name + extension));

/** By its identifier or by its slug, which has no underscore. Any other name is malformed, and so not found. */
const workspaceNamed = (name: string): LoadRequest =>
  name.includes("_") || name === "" ? { workspace: uuidOf("wsp", name) } : { owner: name.toLowerCase() };

/** By its identifier or as `owner/project`. Any other name is malformed, and so not found. */
function projectNamed(name: string): LoadRequest {
  const [owner, slug, ...more] = name.split("/");
  if (owner === undefined || slug === undefined || more.length > 0) return { project: uuidOf("prj", name) };
  return { owner: owner.toLowerCase(), project_slug: slug.toLowerCase() };
}

/** By its identifier or as `owner/project/slug`. Any other name is malformed, and so not found. */
function artifactNamed(name: string): LoadRequest {
  const [owner, projectSlug, slug, ...more] = name.split("/");
  if (owner === undefined || projectSlug === undefined || slug === undefined || more.length > 0)
    return { artifact: uuidOf("art", name) };
  return { owner: owner.toLowerCase(), project_slug: projectSlug.toLowerCase(), slug: slug.toLowerCase() };
}
