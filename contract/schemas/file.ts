// Files beside a document (docs/reference/contract.md §3, "Files").
import Type, { type Static } from "typebox";

import { filePathBytes, filesLimits } from "../limits.ts";
import { Body, Nullable, Text } from "./shape.ts";
import { ArtifactId, Content, Count, Sha256Hex, Time, UploadId, Url, VersionNumber } from "./text.ts";

export const FilePath = Text(filePathBytes, "Relative, with slashes, without `..`; at most 255 bytes of UTF-8");

export const GivenFile = Body({ path: FilePath, sha256: Sha256Hex });
export type GivenFile = Static<typeof GivenFile>;

export const ContentSha256 = Type.String({
  ...Sha256Hex,
  description: "SHA-256 of an uploaded file with the source text, instead of `content`",
});

export const GivenFiles = Type.Array(GivenFile, {
  maxItems: filesLimits.files,
  description: "Uploaded files beside the document. Left out on an update, those of the latest version stay",
});

export const DocumentPath = Text(
  filePathBytes,
  "Path of the document among its files, from which its relative URLs lead",
);

/** The source text of a publish: exactly one of the two. */
export const publishedText = { content: Type.Optional(Content), contentSha256: Type.Optional(ContentSha256) };

/** Fields of publishing. */
export const publishedFiles = { files: Type.Optional(GivenFiles), documentPath: Type.Optional(DocumentPath) };

export const sourcePath = Text(
  filePathBytes,
  "The path of the document's file in its folder, unique in the project; relative links lead to it",
);

/** The files of a version, together. */
export const FilesSummary = Type.Object({
  count: Count,
  sizeBytes: Count,
  sha256: Nullable(Type.String({ description: "Of the list of paths and hashes; null where there are none" })),
});
export type FilesSummary = Static<typeof FilesSummary>;

export const MissingFiles = Type.Object({
  missing: Type.Array(Sha256Hex, { description: "Those that have to be uploaded" }),
});

export const UploadedFile = Type.Object({ sha256: Sha256Hex, sizeBytes: Count });
export type UploadedFile = Static<typeof UploadedFile>;

/** The most bytes that a one-time upload takes. */
export const UploadSize = Type.Integer({
  minimum: 1,
  maximum: filesLimits.fileBytes,
  description: "The most bytes that the URL takes",
});

export const NewUpload = Type.Object({
  uploadId: UploadId,
  url: Type.Optional({ ...Url, description: "Takes one PUT with the file as its body, without a credential" }),
  expiresAt: Time,
  maxBytes: Count,
});
export type NewUpload = Static<typeof NewUpload>;

export const VersionFile = Type.Object({
  path: Type.String(),
  sha256: Sha256Hex,
  sizeBytes: Count,
  mediaType: Type.String(),
});
export type VersionFile = Static<typeof VersionFile>;

export const VersionFiles = Type.Object({
  artifactId: ArtifactId,
  versionNumber: VersionNumber,
  base: Type.String({
    description: "The directory of the document among its files, with a slash at its end, or empty",
  }),
  files: Type.Array(VersionFile),
});
export type VersionFiles = Static<typeof VersionFiles>;

/** What changed between the files of two versions. */
export const FilesDiff = Type.Object({
  added: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
  changed: Type.Array(Type.String()),
});
export type FilesDiff = Static<typeof FilesDiff>;
