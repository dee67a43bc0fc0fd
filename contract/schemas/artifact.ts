// Artifact, version, access object and diff (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { artifactSorts, artifactTypes } from "../artifact-lists.ts";
import type * as lists from "../artifact-lists.ts";
import { missingListed, viewerEmailCount } from "../limits.ts";
import { Actor } from "./actor.ts";
import { FilesDiff, FilesSummary, NotTaken } from "./file.ts";
import { Body, Flag, Nullable } from "./shape.ts";
import { ArtifactId, Count, Email, ProjectId, Sha256, Time, Url, VersionNumber, WorkspaceId } from "./text.ts";

export { artifactSorts, artifactTypes };
export const ArtifactType = Type.Enum(artifactTypes);
export type ArtifactType = lists.ArtifactType;

export const Access = Body({
  publicView: Type.Boolean({ description: "Anyone with the URL can view" }),
  publicEdit: Type.Boolean({ description: "Any signed-in person or agent can publish versions; needs publicView" }),
  viewerEmails: Type.Array(Email, {
    maxItems: viewerEmailCount,
    description: "People who may view, by verified email",
  }),
});
export type Access = Static<typeof Access>;

/** On create the allowlist may be left out. */
export const NewAccess = Body({
  publicView: Access.properties.publicView,
  publicEdit: Access.properties.publicEdit,
  viewerEmails: Type.Optional(Access.properties.viewerEmails),
});

/** What a document refers to by relative paths and that is not there. */
export const Missing = Type.Object({
  count: Count,
  references: Type.Array(
    Type.Object({
      path: Type.String({ description: "As the text has it" }),
      line: Count,
      kind: Type.Enum(["file", "link"]),
      file: Type.Optional(Type.String({ description: "The style sheet or script that has it" })),
    }),
    { description: `The first ${missingListed}` },
  ),
});
export type Missing = Static<typeof Missing>;

/** Of a text that was published; null where that was not known in time. */
const missing = Type.Optional(Nullable(Missing));

export const Artifact = Type.Object({
  artifactId: ArtifactId,
  ownerUsername: Type.String(),
  workspaceId: WorkspaceId,
  projectId: ProjectId,
  projectSlug: Type.String(),
  slug: Type.String(),
  type: ArtifactType,
  title: Type.String(),
  description: Nullable(Type.String()),
  latestVersion: VersionNumber,
  sourcePath: Nullable(Type.String({ description: "The path of its file in the folder that was published" })),
  access: Type.Object({ publicView: Type.Boolean(), publicEdit: Type.Boolean() }),
  url: Url,
  contentUrl: Url,
  thumbnailUrl: Url,
  createdAt: Time,
  updatedAt: Time,
  createdBy: Actor,
  latestBy: Actor,
  latestAt: Time,
  permissions: Type.Object(
    {
      edit: Type.Boolean(),
      share: Type.Boolean(),
      manageAccess: Type.Boolean(),
      delete: Type.Boolean(),
    },
    { description: "What the caller may do" },
  ),
  notTaken: Type.Optional(NotTaken),
  missing,
  dryRun: Type.Optional(Type.Literal(true)),
});
export type Artifact = Static<typeof Artifact>;

/** The answer to publishing at an address. */
export const PutArtifact = Type.Object({
  ...Artifact.properties,
  created: Type.Boolean({ description: "Whether it was not there before" }),
  unchanged: Type.Optional(Type.Literal(true, { description: "The latest version has this content already" })),
  movedTo: Type.Optional(
    Type.String({ description: "Its present address, `owner/project/slug`, where another one was asked for" }),
  ),
});

export const UndeletedArtifact = Type.Object({
  ...Artifact.properties,
  workingShareLinks: Type.Integer({ minimum: 0, description: "Its share links that work again" }),
});

export type ArtifactSort = lists.ArtifactSort;
export const ArtifactSort = Type.Enum(artifactSorts, {
  description:
    "best match (the default with `q`, which it needs), newest created, last updated (the default), or by title (needs `q` " +
    "or `owner`). Without `sort`, a cursor continues in its own order",
});

/** A result of a search has the members that tell why it was found; `isFavorite` is there where it was asked for. */
export const FoundArtifact = Type.Object({
  ...Artifact.properties,
  snippet: Type.Optional(
    Type.Array(Type.Object({ text: Type.String(), isMatch: Type.Boolean() }), {
      description: "The text around the words that were found, in parts of plain text",
    }),
  ),
  matchedIn: Type.Optional(
    Type.Array(Type.Enum(["title", "description", "text"]), { description: "Where words of the query are" }),
  ),
  score: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: "How well it matches: 1 where the title is the query" }),
  ),
  isFavorite: Flag("One of the caller's favorites"),
});
export type FoundArtifact = Static<typeof FoundArtifact>;

/** The events of an artifact's stream; the kind is the event's name. */
export const ArtifactEvent = Type.Union([
  Type.Object(
    { artifactId: ArtifactId, versionNumber: VersionNumber, changelog: Nullable(Type.String()), createdAt: Time },
    { description: "version" },
  ),
  Type.Object(
    { artifactId: ArtifactId, canView: Type.Boolean(), publicView: Type.Optional(Type.Boolean()) },
    { description: "access; canView is false where it was lost, and then the stream ends" },
  ),
  Type.Object({ artifactId: ArtifactId }, { description: "deleted; the stream ends" }),
]);

/** The report of a version's page, written while its screenshot was taken. Each list is cut at `pageReportLimits`. */
export const PageReport = Type.Object({
  errors: Type.Array(
    Type.Object({ message: Type.String(), line: Type.Optional(Count), column: Type.Optional(Count) }),
    { description: "Uncaught errors, and requests that the page was not allowed to send" },
  ),
  console: Type.Array(Type.Object({ level: Type.Enum(["log", "info", "warning", "error"]), text: Type.String() })),
});
export type PageReport = Static<typeof PageReport>;

/** The widths of screenshots, in pixels; the ratio is 16:10. */
export const thumbnailSizes = [1200, 600] as const;
export type ThumbnailSize = (typeof thumbnailSizes)[number];
export const ThumbnailSize = Type.Unsafe<ThumbnailSize>({ type: "integer", enum: [...thumbnailSizes] });

/** `placeholder`: no screenshot could be taken. */
export const thumbnailStates = ["ready", "pending", "placeholder"] as const;
export type ThumbnailState = (typeof thumbnailStates)[number];

/** The view of a version for its readers. */
export const Preview = Type.Object({
  artifactId: ArtifactId,
  versionNumber: VersionNumber,
  url: Url,
  shownAs: Type.Enum(["document", "source"], { description: "source where it could not be rendered in its time" }),
  errors: Type.Array(
    Type.Object({ message: Type.String(), line: Type.Optional(Count), column: Type.Optional(Count) }),
    { description: "What went wrong with showing it" },
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: "Formulas, code and diagrams that are shown as written, and why" }),
  ),
  thumbnail: Nullable(
    Type.Enum(thumbnailStates, {
      description: "Of the latest version: its picture, or that there will be none; null for others, which have none",
    }),
  ),
  page: Nullable(PageReport),
  packages: Type.Optional(
    Type.Array(Type.String(), { description: "What it loads, each pinned, being fetched, or missing and why" }),
  ),
  files: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), sizeBytes: Count }), { description: "The files beside it" }),
  ),
  missing: Type.Optional(Missing),
});
export type Preview = Static<typeof Preview>;

/** The URL that shows an unpublished text. */
export const DraftTicket = Type.Object({ url: Url, expiresAt: Time });

/** Of the people and links that an artifact's access lets in. */
export const Reach = Type.Object({
  anyone: Type.Boolean({ description: "Anyone with the URL; to edit, anyone who is signed in" }),
  people: Count,
  morePeople: Type.Boolean({ description: "There are more people than that" }),
  links: Count,
  moreLinks: Type.Boolean({ description: "There may be more active links than that" }),
});
export type Reach = Static<typeof Reach>;

export const AccessExplanation = Type.Object({
  email: Type.String(),
  canView: Type.Boolean(),
  canEdit: Type.Boolean(),
  because: Type.Array(Type.Object({ rule: Type.String(), detail: Type.String() }), {
    description: "Each rule that lets this person in; where none does, why",
  }),
});
export type AccessExplanation = Static<typeof AccessExplanation>;

export const Version = Type.Object({
  artifactId: ArtifactId,
  versionNumber: VersionNumber,
  name: Nullable(Type.String({ description: "Given by an editor" })),
  changelog: Nullable(Type.String()),
  sizeBytes: Count,
  sha256: Sha256,
  createdAt: Time,
  createdBy: Actor,
  restoredFrom: Nullable(VersionNumber),
  files: FilesSummary,
  isLatest: Type.Boolean(),
  expiresAt: Nullable(Time),
  prunedAt: Type.Optional(Time),
  url: Url,
  notTaken: Type.Optional(NotTaken),
  missing,
  textChange: Type.Optional(
    Type.Enum(["brought", "removed", "older"], {
      description: "Of the `text` asked for; older: it is in this version, and the one before has no content any more",
    }),
  ),
  dryRun: Type.Optional(Type.Literal(true)),
});
export type Version = Static<typeof Version>;

export const Diff = Type.Object({
  artifactId: ArtifactId,
  from: VersionNumber,
  to: VersionNumber,
  stats: Type.Object({ additions: Count, deletions: Count }),
  hunks: Type.Array(
    Type.Object({
      oldStart: Count,
      oldLines: Count,
      newStart: Count,
      newLines: Count,
      lines: Type.Array(Type.Object({ kind: Type.Enum(["context", "add", "delete"]), text: Type.String() })),
    }),
  ),
  files: FilesDiff,
  coarse: Type.Boolean({ description: "A whole-block diff, given where the exact one would take too long" }),
  lineEndsOnly: Type.Optional(
    Type.Literal(true, { description: "The texts differ in CRLF and LF alone; left out where they differ in more" }),
  ),
});
export type Diff = Static<typeof Diff>;
