// The default outputs of MCP tools. They contain what an agent needs to continue and no more, because a model pays for
// each word. Every name and meaning is the resource's own (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { Profile } from "../schemas/account.ts";
import { Actor } from "../schemas/actor.ts";
import { Artifact, Diff, FoundArtifact, Preview, Version } from "../schemas/artifact.ts";
import { NewUpload as WholeUpload } from "../schemas/file.ts";
import { Project } from "../schemas/project.ts";
import { ShareLink } from "../schemas/share-link.ts";
import { AuditEvent } from "../schemas/audit.ts";
import { List } from "../schemas/shape.ts";
import { Count } from "../schemas/text.ts";

export const BriefArtifact = Type.Pick(Artifact, [
  "artifactId",
  "url",
  "title",
  "type",
  "ownerUsername",
  "projectSlug",
  "slug",
  "latestVersion",
  "access",
  "updatedAt",
]);

/** Of a change that leaves the text as it is. */
export const NamedArtifact = Type.Pick(Artifact, ["artifactId", "url", "title", "latestVersion"]);

/** The result of a publish, whose slug may have been taken. */
export const Published = Type.Object({
  action: Type.Enum(["created", "updated", "unchanged", "returned"]),
  /** Fields of an artifact that existed that were not set as wanted. */
  left: Type.Optional(Type.Array(Type.String())),
  ...BriefArtifact.properties,
});
export type Published = Static<typeof Published>;

export const BriefVersion = Type.Pick(Version, ["artifactId", "versionNumber", "url", "changelog", "createdAt"]);

/** In a list the address has owner, project and slug; a result of a search says why it was found. */
export const ArtifactList = List(
  "artifacts",
  Type.Pick(FoundArtifact, [
    "artifactId",
    "url",
    "title",
    "type",
    "latestVersion",
    "updatedAt",
    "latestAt",
    "latestBy",
    "snippet",
    "matchedIn",
    "score",
  ]),
);

export const VersionList = List(
  "versions",
  Type.Object({
    ...Type.Pick(Version, ["versionNumber", "name", "changelog", "createdAt", "sizeBytes"]).properties,
    createdBy: Type.Pick(Actor, ["label"]),
  }),
);

export const ShareLinkList = List(
  "shareLinks",
  Type.Pick(ShareLink, ["shareLinkId", "role", "label", "expiresAt", "revokedAt", "useCount"]),
);

export const NewShareLink = Type.Pick(ShareLink, ["shareLinkId", "url", "token", "role", "expiresAt"]);

export const AuditEventList = List(
  "auditEvents",
  Type.Pick(AuditEvent, ["eventId", "occurredAt", "kind", "actor", "surface", "artifactId"]),
);

export const ProjectList = List(
  "projects",
  Type.Pick(Project, ["projectId", "slug", "title", "ownerUsername", "artifactCount"]),
);

export const NewProject = Type.Pick(Project, ["projectId", "url", "ownerUsername", "slug", "title"]);

export const WhoAmI = Type.Pick(Profile, ["username", "workspaceId", "plan", "credential"]);

export const NewUpload = Type.Pick(WholeUpload, ["url", "expiresAt", "maxBytes"]);

/** The lines of a version that the result's text has. The joined pages equal the source, byte for byte. */
export const ContentPage = Type.Object({
  artifactId: Artifact.properties.artifactId,
  versionNumber: Version.properties.versionNumber,
  url: Type.String(),
  startLine: Count,
  endLine: Count,
  totalLines: Count,
  nextLine: Type.Optional(Count),
  nextColumn: Type.Optional(Count),
  /** Lines found by grep or outline. */
  found: Type.Optional(Count),
});

/** `leftOut` is set where the page reported more, or there are more files. */
export const BriefPreview = Type.Object({ ...Preview.properties, leftOut: Type.Optional(Count) });

/** `leftOut` is set where the comparison is too long for one answer. */
export const BriefDiff = Type.Object({ ...Diff.properties, leftOut: Type.Optional(Count) });
