// Operations on versions: publish, edit, list, read, compare, restore (docs/reference/contract.md §4).
import Type from "typebox";

import { noteLength, versionAuthors } from "../limits.ts";
import { operation } from "../operation.ts";
import { Actor } from "../schemas/actor.ts";
import { Artifact, Diff, Version } from "../schemas/artifact.ts";
import { publishedFiles, publishedText } from "../schemas/file.ts";
import { VersionPackages } from "../schemas/package.ts";
import { Body, Flag, List, Nullable, Text } from "../schemas/shape.ts";
import { ArtifactId, Note, page, VersionName, VersionNumber } from "../schemas/text.ts";

/** From 1. */
const LineNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const publishing = {
  changelog: Type.Optional(Note),
  expectedLatestVersion: Type.Optional(VersionNumber),
};

export const createVersion = operation({
  name: "version.create",
  summary: "Publish a new version of an artifact",
  method: "POST",
  path: "/api/artifacts/:artifactId/versions",
  scope: "artifacts:update",
  resource: { load: "artifact", permission: "update", by: "id" },
  input: Body({ artifactId: ArtifactId, ...publishedText, ...publishing, ...publishedFiles }),
  output: Version,
  errors: ["forbidden", "storage_limit_reached", "invalid_source", "version_conflict", "content_too_large", "busy"],
  dryRun: true,
  mcp: { tool: "update_artifact" },
  cli: {
    command: "artifact update",
    examples: [
      "plinth artifact update ada/demo/report report.md --changelog 'New figures'",
      "plinth artifact update ada/demo/report report.md --expected-latest-version 3",
    ],
  },
});

export const editVersion = operation({
  name: "version.edit",
  summary: "Publish a new version made from the latest by exact replacements",
  description:
    "Each `oldText` must occur exactly once in the text that results from the earlier edits, or with `replaceAll` at " +
    "least once.",
  method: "POST",
  path: "/api/artifacts/:artifactId/edits",
  scope: "artifacts:update",
  alsoScopes: ["artifacts:read"],
  resource: { load: "version", permission: "update", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    edits: Type.Array(
      Body({
        oldText: Type.String({ minLength: 1 }),
        newText: Type.String(),
        replaceAll: Flag("Replace every place, however often it occurs"),
      }),
      { minItems: 1, maxItems: 100 },
    ),
    ...publishing,
  }),
  output: Version,
  errors: ["forbidden", "invalid_source", "version_conflict", "content_too_large", "busy"],
  dryRun: true,
  mcp: { tool: "edit_artifact" },
});

export const listVersions = operation({
  name: "version.list",
  summary: "List the versions of an artifact, newest first",
  method: "GET",
  path: "/api/artifacts/:artifactId/versions",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "read", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    withArtifact: Flag("With the artifact itself"),
    named: Flag("Only versions that have a name"),
    author: Type.Optional(Text(60, "The `id` of a `createdBy`")),
    withAuthors: Flag(`With at most ${versionAuthors} authors`),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: noteLength,
        pattern: "\\S",
        description: "Only versions that brought or removed this text",
      }),
    ),
    upTo: Type.Optional({ ...VersionNumber, description: "Start with this version instead of the newest" }),
    ...page,
  }),
  output: Type.Object({
    ...List("versions", Version).properties,
    artifact: Type.Optional(Artifact),
    authors: Type.Optional(Type.Array(Actor)),
  }),
  errors: ["busy"],
  etag: true,
  mcp: { tool: "list_artifact_versions" },
  cli: { command: "artifact versions" },
});

export const getContent = operation({
  name: "version.content",
  summary: "Read the source text of a version, or a part of it",
  description:
    "A part is the lines from `startLine` to `endLine`, the `section` under a heading, or both. With `grep` " +
    "or `outline` the answer has the lines found, each after its number, at most 256 KB; where more were found, " +
    "`x-artifact-next-line` is the next `startLine`. `x-artifact-lines` has the first, the last and the number of lines: " +
    "`12-40/310`.",
  method: "GET",
  path: "/api/artifacts/:artifactId/content",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "source", permission: "read", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    version: Type.Optional(VersionNumber),
    section: Type.Optional(Text(200, "A heading's slug, as in the document's links")),
    grep: Type.Optional(Text(200, "Only lines that contain this, in any case")),
    outline: Flag("Only the headings, with line and slug"),
    startLine: Type.Optional({ ...LineNumber, description: "The first line" }),
    endLine: Type.Optional({ ...LineNumber, description: "The last line" }),
  }),
  output: Type.String({ description: "The source, byte for byte" }),
  etag: true,
  errors: ["version_expired"],
  media: "source",
  mcp: { tool: "get_artifact_content" },
  cli: { command: "artifact content" },
});

export const diffVersions = operation({
  name: "version.diff",
  summary: "Compare two versions of an artifact",
  description: "With `Accept: text/x-diff` the answer is a unified diff.",
  method: "GET",
  path: "/api/artifacts/:artifactId/diff",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId, from: VersionNumber, to: VersionNumber }),
  output: Diff,
  etag: true,
  errors: ["version_expired", "busy"],
  media: "diff",
  mcp: { tool: "diff_artifact_versions" },
  cli: { command: "artifact diff" },
});

export const restoreVersion = operation({
  name: "version.restore",
  summary: "Restore an old version as a new head",
  method: "POST",
  path: "/api/artifacts/:artifactId/versions/:versionNumber/restore",
  scope: "artifacts:update",
  resource: { load: "version", permission: "update", by: "id" },
  input: Body({ artifactId: ArtifactId, versionNumber: VersionNumber }),
  output: Version,
  errors: ["forbidden", "version_expired"],
  dryRun: true,
  mcp: { tool: "restore_artifact_version" },
  cli: { command: "artifact restore" },
});

export const nameVersion = operation({
  name: "version.patch",
  summary: "Name a version, or remove its name",
  description: "Two versions can have the same name. The content of a version never changes.",
  method: "PATCH",
  path: "/api/artifacts/:artifactId/versions/:versionNumber",
  scope: "artifacts:update",
  resource: { load: "files", permission: "update", by: "id" },
  input: Body({ artifactId: ArtifactId, versionNumber: VersionNumber, name: Nullable(VersionName) }),
  output: Version,
  errors: ["forbidden", "version_expired"],
  dryRun: true,
  cli: {
    command: "artifact name",
    examples: ["plinth artifact name ada/demo/report --version 3 --name 'Sent to the client'"],
  },
});

const VersionPath = Body({ artifactId: ArtifactId, versionNumber: VersionNumber });

export const listPackages = operation({
  name: "version.packages",
  summary: "List the packages that a version loads",
  description:
    "Each with its pinned version and the URLs that ask for it; and what is missing, with the reason and a remedy.",
  method: "GET",
  path: "/api/artifacts/:artifactId/versions/:versionNumber/packages",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "version", permission: "read", by: "id" },
  input: Body({
    ...VersionPath.properties,
    withFiles: Flag("With the number and size of the version's files"),
    withAuthor: Flag("With the author and the time of the version"),
  }),
  output: VersionPackages,
  errors: ["version_expired", "busy"],
  cli: { command: "artifact packages" },
});

export const retryPackages = operation({
  name: "version.retryPackages",
  summary: "Ask again for the packages of a version that are missing",
  description: "What is pinned stays. Does nothing where none is missing, or where they are being fetched already.",
  method: "POST",
  path: "/api/artifacts/:artifactId/versions/:versionNumber/packages/retry",
  scope: "artifacts:update",
  resource: { load: "version", permission: "update", by: "id" },
  effect: "update",
  input: VersionPath,
  output: VersionPackages,
  errors: ["forbidden", "version_expired"],
});
