// An artifact or a project by its address, with the things that its page shows beside it (docs/reference/contract.md §4).
import Type from "typebox";

import { Artifact } from "./artifact.ts";
import { FilesSummary } from "./file.ts";
import { UsedPackage } from "./package.ts";
import { DocumentLink, FormerAddresses, Project, ProjectDocuments } from "./project.ts";
import { Flag, Nullable } from "./shape.ts";

export const ArtifactAtAddress = Type.Object({
  ...Artifact.properties,
  movedTo: Type.Optional(
    Type.String({ description: "Its present address, `owner/project/slug`, where another one was asked for" }),
  ),
  latestName: Type.Optional(Type.String({ description: "The name of the latest version, where it has one" })),
  isFavorite: Flag("Whether it is one of the caller's favorites"),
  packages: Type.Optional(Type.Array(UsedPackage)),
  files: Type.Optional(FilesSummary),
  formerAddresses: Type.Optional(FormerAddresses.properties.formerAddresses),
  neighbours: Type.Optional(
    Type.Object(
      { previous: Nullable(DocumentLink), next: Nullable(DocumentLink) },
      { description: "In reading order" },
    ),
  ),
});

export const ProjectAtAddress = Type.Object({
  ...Project.properties,
  movedTo: Type.Optional(
    Type.String({ description: "Its present address, `owner/project`, where another one was asked for" }),
  ),
  documents: Type.Optional(ProjectDocuments),
});
