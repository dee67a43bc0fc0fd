// A project as an Atom feed (RFC 4287): one entry for the latest version of each artifact. Titles, descriptions and names
// are other people's text.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { Project } from "@plinth/contract/schemas/project";

/** Artifacts in a feed, the last changed first. */
export const feedArtifacts = 50;

type Entry = Pick<
  Artifact,
  "artifactId" | "title" | "description" | "url" | "latestVersion" | "latestAt" | "latestBy" | "updatedAt"
>;

/** Identifiers are made of the immutable ones, so renames and moves do not change them. */
export function projectFeed(
  publicUrl: string,
  project: Pick<Project, "projectId" | "title" | "description" | "ownerUsername" | "url" | "updatedAt">,
  artifacts: readonly Entry[],
): string {
  const updated = artifacts.map(changedAt).reduce(later, project.updatedAt);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element("id", `${publicUrl}/api/projects/${project.projectId}`),
    element("title", project.title),
    ...optional("subtitle", project.description),
    element("updated", updated),
    link("self", "application/atom+xml", `${project.url}/feed.atom`),
    link("alternate", "text/html", project.url),
    author(project.ownerUsername),
    element("generator", "Plinth"),
    // The order of the list follows a new version a moment later.
    ...artifacts
      .toSorted((one, other) => changedAt(other).localeCompare(changedAt(one)))
      .map((artifact) => entry(publicUrl, artifact)),
    "</feed>",
    "",
  ].join("\n");
}

function entry(publicUrl: string, artifact: Entry): string {
  const { artifactId, title, description, url, latestVersion, latestAt, latestBy } = artifact;
  return [
    "<entry>",
    element("id", `${publicUrl}/api/artifacts/${artifactId}/versions/${latestVersion}`),
    element("title", title),
    element("published", latestAt),
    element("updated", changedAt(artifact)),
    link("alternate", "text/html", url),
    author(latestBy.onBehalfOf?.username ?? latestBy.label),
    ...optional("summary", description),
    "</entry>",
  ].join("\n");
}

const changedAt = ({ latestAt, updatedAt }: Entry): string => later(latestAt, updatedAt);
const later = (one: string, other: string): string => (one > other ? one : other);
const author = (name: string): string => `<author>${element("name", name)}</author>`;
const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
const optional = (name: string, text: string | null): string[] => (text ? [element(name, text)] : []);
const link = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${escapeXml(href)}"/>`;

/** Text of an element or attribute. Characters that XML 1.0 cannot contain, even escaped, become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
