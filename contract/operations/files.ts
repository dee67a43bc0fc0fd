// Operations on files beside a document: upload, list, read (docs/reference/contract.md §3, "Files").
import Type from "typebox";

import { filesLimits } from "../limits.ts";
import { operation } from "../operation.ts";
import { FilePath, MissingFiles, NewUpload, UploadedFile, UploadSize, VersionFiles } from "../schemas/file.ts";
import { Body } from "../schemas/shape.ts";
import { ArtifactId, Sha256Hex, Username, VersionNumber, WorkspaceId } from "../schemas/text.ts";

const hashes = Type.Array(Sha256Hex, { minItems: 1, maxItems: filesLimits.files });

const inWorkspace = { workspaceId: Type.Optional(WorkspaceId), ownerUsername: Type.Optional(Username) };

export const missingFiles = operation({
  name: "file.missing",
  summary: "Ask which files a workspace does not have yet",
  description: "Only files of this workspace count.",
  method: "POST",
  path: "/api/files/missing",
  scope: "artifacts:create",
  resource: { load: "workspace", permission: "createProject", by: "idOrOwn" },
  effect: "read",
  input: Body({ ...inWorkspace, sha256: hashes }),
  output: MissingFiles,
  errors: ["forbidden"],
});

export const uploadFile = operation({
  name: "file.upload",
  summary: "Upload a file, to publish it beside a document",
  description:
    "The body is the file. Nothing shows it until it is published with a document; a file that is not published is " +
    "removed after 24 hours.",
  method: "PUT",
  path: "/api/files/:sha256",
  scope: "artifacts:create",
  resource: { load: "workspace", permission: "createProject", by: "idOrOwn" },
  input: Body({ ...inWorkspace, sha256: Sha256Hex }),
  takes: "file",
  output: UploadedFile,
  errors: ["forbidden", "content_too_large", "storage_limit_reached"],
});

export const missingFilesOfArtifact = operation({
  name: "file.missingOfArtifact",
  summary: "Ask which files an artifact does not have yet",
  description: "Only files of this artifact's versions count, and those uploaded to it.",
  method: "POST",
  path: "/api/artifacts/:artifactId/uploads/missing",
  scope: "artifacts:update",
  resource: { load: "artifact", permission: "update", by: "id" },
  effect: "read",
  input: Body({ artifactId: ArtifactId, sha256: hashes }),
  output: MissingFiles,
  errors: ["forbidden"],
});

export const uploadFileToArtifact = operation({
  name: "file.uploadToArtifact",
  summary: "Upload a file, to publish it with the artifact's next version",
  description: "The body is the file. For callers who may update the artifact, with a share link too.",
  method: "PUT",
  path: "/api/artifacts/:artifactId/uploads/:sha256",
  scope: "artifacts:update",
  resource: { load: "artifact", permission: "update", by: "id" },
  input: Body({ artifactId: ArtifactId, sha256: Sha256Hex }),
  takes: "file",
  output: UploadedFile,
  errors: ["forbidden", "content_too_large", "storage_limit_reached"],
});

export const createUpload = operation({
  name: "upload.create",
  summary: "Create a URL that takes one file without a credential",
  description:
    "Valid for 10 minutes and one PUT. The answer to that has the file's SHA-256, to publish it by. The rights of the " +
    "caller are checked again when the file arrives.",
  method: "POST",
  path: "/api/uploads",
  scope: "artifacts:create",
  resource: { load: "workspace", permission: "createProject", by: "idOrOwn" },
  input: Body({ ...inWorkspace, sizeBytes: UploadSize }),
  output: NewUpload,
  errors: ["forbidden"],
  secrets: ["url"],
  mcp: { tool: "create_upload" },
});

export const createUploadForArtifact = operation({
  name: "upload.createForArtifact",
  summary: "Create a URL that takes one file for an artifact without a credential",
  description: "Like `upload.create`, for callers who may update the artifact, with a share link too.",
  method: "POST",
  path: "/api/artifacts/:artifactId/uploads",
  scope: "artifacts:update",
  resource: { load: "artifact", permission: "update", by: "id" },
  input: Body({ artifactId: ArtifactId, sizeBytes: UploadSize }),
  output: NewUpload,
  errors: ["forbidden"],
  secrets: ["url"],
});

export const listFiles = operation({
  name: "version.files",
  summary: "List the files beside a version",
  method: "GET",
  path: "/api/artifacts/:artifactId/versions/:versionNumber/files",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "files", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId, versionNumber: VersionNumber }),
  output: VersionFiles,
  etag: true,
  errors: ["version_expired"],
  cli: { command: "artifact files" },
});

export const readFile = operation({
  name: "version.file",
  summary: "Read a file beside a version",
  description: "Of the latest version unless another one is named. The slashes of the path need no encoding.",
  method: "GET",
  path: "/api/artifacts/:artifactId/files/:path",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "file", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId, path: FilePath, version: Type.Optional(VersionNumber) }),
  output: Type.String({ description: "The file" }),
  etag: true,
  errors: ["version_expired"],
  media: "file",
});

export const archiveVersion = operation({
  name: "version.archive",
  summary: "Download a version and the files beside it as a zip",
  description: "Of the latest version unless another one is named. The document has its place among its files.",
  method: "GET",
  path: "/api/artifacts/:artifactId/archive",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "version", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId, version: Type.Optional(VersionNumber) }),
  output: Type.String({ description: "The zip" }),
  etag: true,
  errors: ["version_expired"],
  media: "archive",
});
