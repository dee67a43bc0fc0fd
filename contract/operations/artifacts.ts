// Operations on artifacts themselves (docs/reference/contract.md §4).
import Type from "typebox";

import { oembedPixelsMax, oembedUrlLength, searchLength, viewDays } from "../limits.ts";
import { anyCaller, operation } from "../operation.ts";
import {
  Artifact,
  ArtifactEvent,
  ArtifactSort,
  ArtifactType,
  DraftTicket,
  FoundArtifact,
  NewAccess,
  Preview,
  PutArtifact,
  ThumbnailSize,
  UndeletedArtifact,
} from "../schemas/artifact.ts";
import { ArtifactAtAddress } from "../schemas/at-address.ts";
import { artifactFilters, ofProject } from "../schemas/artifact-filters.ts";
import { OEmbed } from "../schemas/oembed.ts";
import { publishedFiles, publishedText, SourcePath } from "../schemas/file.ts";
import { Availability, FormerAddresses, SlugPreview } from "../schemas/project.ts";
import { Body, Flag, List, Nothing, Nullable, Text } from "../schemas/shape.ts";
import {
  ArtifactId,
  Note,
  page,
  PathName,
  Slug,
  Time,
  Title,
  Url,
  Username,
  VersionNumber,
  WorkspaceId,
} from "../schemas/text.ts";

const newArtifact = {
  projectSlug: Slug,
  slug: Slug,
  type: ArtifactType,
  title: Title,
  description: Type.Optional(Note),
  ...publishedText,
  changelog: Type.Optional(Note),
  access: NewAccess,
  sourcePath: Type.Optional(SourcePath),
  ...publishedFiles,
};

const creationErrors = [
  "invalid_source",
  "plan_required",
  "storage_limit_reached",
  "forbidden",
  "slug_conflict",
  "source_path_conflict",
  "content_too_large",
  "busy",
] as const;

const address = { owner: PathName, projectSlug: PathName, slug: PathName };

export const createArtifact = operation({
  name: "artifact.create",
  summary: "Publish a new artifact with its first version",
  method: "POST",
  path: "/api/artifacts",
  scope: "artifacts:create",
  resource: { load: "project", permission: "publish", by: "owner" },
  input: Body({ ownerUsername: Type.Optional(Username), ...newArtifact }),
  output: Artifact,
  errors: creationErrors,
  dryRun: true,
  mcp: { tool: "create_artifact" },
  cli: {
    command: "artifact create",
    examples: [
      "plinth artifact create --json @artifact.json",
      `plinth artifact create --project-slug demo --slug report --type md --title Report --file report.md --access '{"publicView":true,"publicEdit":false}'`,
    ],
  },
});

export const createArtifactInWorkspace = operation({
  name: "artifact.createInWorkspace",
  summary: "Publish a new artifact in a workspace",
  method: "POST",
  path: "/api/workspaces/:workspaceId/artifacts",
  scope: "artifacts:create",
  resource: { load: "project", permission: "publish", by: "workspace" },
  input: Body({ workspaceId: WorkspaceId, ...newArtifact }),
  output: Artifact,
  errors: creationErrors,
  dryRun: true,
});

export const listMyArtifacts = operation({
  name: "artifact.listMine",
  summary: "List the artifacts of the workspaces you belong to",
  method: "GET",
  path: "/api/profile/artifacts",
  scope: "artifacts:read",
  resource: null,
  input: Body({
    ...page,
    project: ofProject,
    ...artifactFilters,
    sort: Type.Optional(
      Type.Enum(["newest", "updated"], { description: "last updated (the default), or newest created" }),
    ),
    deleted: Flag("Those deleted in the last 30 days instead, newest created first"),
  }),
  output: List("artifacts", Artifact),
  etag: true,
  cli: { command: "artifact list" },
});

export const listArtifacts = operation({
  name: "artifact.list",
  summary: "Search and list the artifacts you can see",
  description:
    "`q` finds artifacts whose title, description or latest content has every word; the last one can be the beginning " +
    "of a word, and words in double quotes follow each other. Where nearly nothing has them, titles with a typo and parts " +
    "of titles are found. The best match comes first: the exact title, words of the title, of the description, of the " +
    "text, then the last update. A common word is looked for in what changed last, up to 1,000 matches. A new version is " +
    "found a moment after it is published.",
  method: "GET",
  path: "/api/artifacts",
  caller: "anyone",
  scope: "artifacts:read",
  resource: null,
  input: Body({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: searchLength, pattern: "\\S", description: "The words to search for" }),
    ),
    ...page,
    owner: Type.Optional(Text(100, "Username or slug of a workspace")),
    project: ofProject,
    ...artifactFilters,
    visibility: Type.Optional(Type.Enum(["public", "private"])),
    sort: Type.Optional(ArtifactSort),
    withFavorite: Flag("With `isFavorite`"),
  }),
  output: List("artifacts", FoundArtifact),
  etag: true,
  mcp: { tool: "search_artifacts" },
  cli: {
    command: "search",
    examples: [
      "plinth search quarterly report",
      "plinth search --q '\"gross margin\"' --author ada --since 2026-10-01T00:00:00Z",
    ],
  },
});

export const getArtifact = operation({
  name: "artifact.get",
  summary: "Get an artifact",
  method: "GET",
  path: "/api/artifacts/:artifactId",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: Artifact,
  etag: true,
  mcp: { tool: "get_artifact" },
  cli: { command: "artifact get" },
});

export const getArtifactByPath = operation({
  name: "artifact.getByPath",
  summary: "Get the artifact at an address",
  description: "Also at a former address of it, in any case; then `movedTo` is its present one.",
  method: "GET",
  path: "/api/by-path/:owner/:projectSlug/:slug",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "files", permission: "read", by: "path" },
  input: Body({
    ...address,
    withPackages: Flag("With the packages that the latest version loads, once they are known"),
    withFiles: Flag("With the number and size of the latest version's files"),
    withFavorite: Flag("With whether it is one of your favorites"),
    withFormerAddresses: Flag("With its former addresses, for callers who can manage its access"),
    withNeighbours: Flag("With the documents before and after it, of one that was published from a folder"),
  }),
  output: ArtifactAtAddress,
  etag: true,
  cli: { command: "path artifact" },
});

export const putArtifact = operation({
  name: "artifact.put",
  summary: "Publish at an address: create the artifact, or publish its next version",
  description:
    "The status is 201 where it was created, 200 where it was there. The title, and what else is given, then replace what is there; " +
    "`access` needs `artifacts:access:write` where it changes, and is private for a new artifact unless it is given. " +
    "Content and files of the latest version make no new version, and the answer has `unchanged`. With " +
    "`expectedLatestVersion` no version is published on top of another one than that. A former address leads to the " +
    "artifact, and the answer has `movedTo`.",
  method: "PUT",
  path: "/api/by-path/:owner/:projectSlug/:slug",
  scope: "artifacts:create",
  alsoScopes: ["artifacts:update"],
  resource: { load: "project", permission: "publish", by: "path" },
  upserts: true,
  input: Body({
    owner: PathName,
    projectSlug: PathName,
    slug: Slug,
    type: ArtifactType,
    title: Title,
    description: Type.Optional(Note),
    ...publishedText,
    changelog: Type.Optional(Note),
    access: Type.Optional(NewAccess),
    expectedLatestVersion: Type.Optional(VersionNumber),
    sourcePath: Type.Optional(SourcePath),
    ...publishedFiles,
  }),
  output: PutArtifact,
  errors: [...creationErrors, "version_conflict"],
  dryRun: true,
});

export const getArtifactBySourcePath = operation({
  name: "artifact.getBySourcePath",
  summary: "Get the artifact that a relative link in a project leads to",
  description:
    "By its source path: with and without its extension, `README` or `index` for a folder, then in any case; otherwise by " +
    "its slug. The slashes of the path need no encoding.",
  method: "GET",
  path: "/api/by-source-path/:owner/:projectSlug/:path",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "read", by: "sourcePath" },
  input: Body({ owner: PathName, projectSlug: PathName, path: PathName }),
  output: Artifact,
  etag: true,
});

export const updateArtifact = operation({
  name: "artifact.patch",
  summary: "Change an artifact's title, description or address",
  description: "A former address leads to the artifact and cannot be taken by another one, until it is released.",
  method: "PATCH",
  path: "/api/artifacts/:artifactId",
  scope: "artifacts:update",
  resource: { load: "artifact", permission: "update", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    title: Type.Optional(Title),
    description: Type.Optional(Nullable(Note)),
    slug: Type.Optional(Slug),
    projectSlug: Type.Optional(Slug),
    sourcePath: Type.Optional(Nullable(SourcePath)),
  }),
  output: Artifact,
  errors: ["forbidden", "slug_conflict", "source_path_conflict"],
  mcp: { tool: "update_artifact_details" },
  dryRun: true,
  cli: {
    command: "artifact patch",
    examples: ["plinth artifact patch ada/demo/report --title 'Week 47' --slug week-47"],
  },
});

export const listViews = operation({
  name: "artifact.listViews",
  summary: "Count the views of an artifact, day by day",
  description:
    "Loads of its page, not people: nothing about readers is stored. The oldest day is first. Members of its workspace, " +
    "known programs and frames are not counted.",
  method: "GET",
  path: "/api/artifacts/:artifactId/views",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "manageAccess", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: viewDays.max,
        default: viewDays.default,
        description: "How many days, with today",
      }),
    ),
  }),
  output: Type.Object({
    total: Type.Integer(),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: "YYYY-MM-DD, UTC" }),
        views: Type.Integer(),
      }),
    ),
  }),
  errors: ["forbidden"],
});

export const listFormerAddresses = operation({
  name: "artifact.listFormerAddresses",
  summary: "List the former addresses of an artifact",
  description:
    "They lead to it. Those by a former slug of its project or of the owner are not listed, and lead to it too.",
  method: "GET",
  path: "/api/artifacts/:artifactId/former-addresses",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "manageAccess", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: FormerAddresses,
  etag: true,
  errors: ["forbidden"],
  cli: { command: "artifact former-addresses" },
});

export const releaseFormerAddress = operation({
  name: "artifact.releaseFormerAddress",
  summary: "Release a former address of an artifact",
  description: "It leads nowhere any more, and another artifact can take it. In a URL its slashes are written `%2F`.",
  method: "DELETE",
  path: "/api/artifacts/:artifactId/former-addresses/:address",
  scope: "artifacts:update",
  resource: { load: "artifact", permission: "manageAccess", by: "id" },
  effect: "update",
  input: Body({ artifactId: ArtifactId, address: PathName }),
  output: Nothing,
  errors: ["forbidden"],
  dryRun: true,
  cli: {
    command: "artifact release-address",
    examples: ["plinth artifact release-address --artifact-id art_… --address ada/notes/week-46"],
  },
});

export const deleteArtifact = operation({
  name: "artifact.delete",
  summary: "Delete an artifact; it can be undeleted for 30 days",
  method: "DELETE",
  path: "/api/artifacts/:artifactId",
  scope: "artifacts:delete",
  resource: { load: "artifact", permission: "delete", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: Nothing,
  errors: ["forbidden"],
  dryRun: true,
  mcp: { tool: "delete_artifact" },
  cli: { command: "artifact delete" },
});

export const undeleteArtifact = operation({
  name: "artifact.undelete",
  summary: "Restore a deleted artifact",
  description: "The share links that it had work again, unless they have expired since.",
  method: "POST",
  path: "/api/artifacts/:artifactId/undelete",
  scope: "artifacts:delete",
  resource: { load: "artifact", permission: "undelete", by: "id" },
  effect: "update",
  input: Body({ artifactId: ArtifactId }),
  output: UndeletedArtifact,
  errors: ["slug_conflict"],
  mcp: { tool: "undelete_artifact" },
  dryRun: true,
  cli: { command: "artifact undelete" },
});

export const artifactSlugAvailability = operation({
  name: "artifact.slugAvailability",
  summary: "Check whether an artifact's slug is free",
  method: "GET",
  path: "/api/artifacts/slug-availability/:owner/:projectSlug/:slug",
  caller: "anyone",
  scope: "artifacts:create",
  resource: { load: "project", permission: "publish", by: "path", hidden: true },
  input: Body(address),
  output: Availability,
  cli: { command: "artifact slug-availability" },
});

export const slugPreview = operation({
  name: "artifact.urlPreview",
  summary: "Preview the address an artifact would get",
  method: "GET",
  path: "/api/slug-preview/:owner/:projectSlug/:slug",
  caller: "anyone",
  scope: "artifacts:create",
  resource: { load: "project", permission: "publish", by: "path", hidden: true },
  input: Body(address),
  output: SlugPreview,
  cli: { command: "artifact url-preview" },
});

export const contentTicket = operation({
  name: "artifact.ticket",
  summary: "Get a URL at which a browser can load the rendered version for a minute",
  method: "GET",
  path: "/api/artifacts/:artifactId/ticket",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "version", permission: "read", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    version: Type.Optional(VersionNumber),
    beside: Type.Optional(Type.Integer({ ...VersionNumber, description: "Another version, to compare it with" })),
  }),
  output: Type.Object({ url: Url, besideUrl: Type.Optional(Url), expiresAt: Time }),
  errors: ["version_expired"],
  internal: true,
});

export const draftTicket = operation({
  name: "artifact.draftTicket",
  summary: "Get a URL that previews a text as the artifact's next version for a minute",
  description:
    "A page of this instance posts a form with the field `content` to it, into a sandboxed frame, and gets the " +
    "rendered document. Nothing is stored.",
  method: "GET",
  path: "/api/artifacts/:artifactId/draft-ticket",
  scope: "artifacts:update",
  resource: { load: "artifact", permission: "update", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: DraftTicket,
  errors: ["forbidden"],
  internal: true,
});

export const publicDraftTicket = operation({
  name: "artifact.publicDraftTicket",
  summary: "Get a URL that previews a text for a minute, without an account",
  description:
    "Like `workspace.draftTicket`, for the landing page: texts are smaller and fewer, both counted by network address.",
  method: "GET",
  path: "/api/draft-ticket",
  ...anyCaller,
  input: Body({}),
  output: DraftTicket,
  internal: true,
});

export const previewArtifact = operation({
  name: "artifact.preview",
  summary: "Get how a version looks, with its errors",
  method: "GET",
  path: "/api/artifacts/:artifactId/preview",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "version", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId, version: Type.Optional(VersionNumber) }),
  output: Preview,
  errors: ["version_expired", "busy"],
  mcp: { tool: "get_artifact_preview" },
});

export const getOEmbed = operation({
  name: "artifact.oembed",
  summary: "Get how to embed the artifact at a URL (oEmbed)",
  description:
    "Only of what anyone can see. The URL is that of its page, with `?v=` of one version. Other parameters are ignored.",
  method: "GET",
  path: "/api/oembed",
  ...anyCaller,
  input: Body({
    url: Text(oembedUrlLength, "Of the page"),
    maxwidth: Type.Optional(Type.Integer({ minimum: 1, maximum: oembedPixelsMax, description: "Pixels" })),
    maxheight: Type.Optional(Type.Integer({ minimum: 1, maximum: oembedPixelsMax, description: "Pixels" })),
    format: Type.Optional(Type.String({ maxLength: 20, description: "`json`, the default; any other is a 501" })),
  }),
  foreignQuery: true,
  output: OEmbed,
  etag: true,
  errors: ["not_found", "not_implemented"],
});

export const getThumbnail = operation({
  name: "artifact.thumbnail",
  summary: "Get the thumbnail of an artifact's latest version, or of another version",
  description:
    "A WebP of 1200 by 750 or 600 by 375 pixels; while it is being captured, or where it cannot be, an SVG that says so. " +
    "The header `x-thumbnail` tells which: `ready`, `pending` or `placeholder`. The thumbnail of an older version is " +
    "captured on request, and kept for a week after the last request.",
  method: "GET",
  path: "/api/artifacts/:artifactId/thumbnail",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "thumbnail", permission: "read", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    size: Type.Optional(ThumbnailSize),
    version: Type.Optional(VersionNumber),
  }),
  output: Type.String({ description: "The thumbnail" }),
  etag: true,
  errors: ["version_expired"],
  media: "thumbnail",
  cli: {
    command: "artifact thumbnail",
    examples: ["plinth artifact thumbnail ada/demo/report --size 600"],
  },
});

export const watchArtifact = operation({
  name: "artifact.watch",
  summary: "Receive new versions, changed access and deletion as they happen",
  description:
    "Server-sent events: `version` for each new version, `access` where the access object changed or access was " +
    "lost, `deleted`. After an interruption `Last-Event-ID` continues where it ended. The stream ends when access " +
    "does.",
  method: "GET",
  path: "/api/artifacts/:artifactId/events",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: ArtifactEvent,
  media: "events",
  errors: ["unavailable"],
});
