// The packages of a version (docs/reference/contract.md §3, "Packages").
import Type, { type Static } from "typebox";

import { Actor } from "./actor.ts";
import { FilesSummary } from "./file.ts";
import { Nullable } from "./shape.ts";
import { ArtifactId, Time, VersionNumber } from "./text.ts";

const packageStates = ["kept", "fetching", "missing"] as const;

/** What a version loads: a package, or a file that is not part of one. */
export const UsedPackage = Type.Object({
  name: Nullable(Type.String({ description: "Null for a file that is no package's" })),
  version: Nullable(Type.String({ description: "The pinned version; null until it is known" })),
  urls: Type.Array(Type.String(), {
    description: "As the document names them; none for what another package imports",
  }),
  state: Type.Enum(packageStates),
  reason: Nullable(Type.String({ description: "Why it is missing" })),
  remedy: Nullable(Type.String({ description: "What its author can do" })),
});
export type UsedPackage = Static<typeof UsedPackage>;

export const VersionPackages = Type.Object({
  artifactId: ArtifactId,
  versionNumber: VersionNumber,
  packages: Type.Array(UsedPackage),
  files: Type.Optional(FilesSummary),
  name: Type.Optional(Nullable(Type.String({ description: "Of the version, with its author" }))),
  createdBy: Type.Optional(Actor),
  createdAt: Type.Optional(Time),
});
export type VersionPackages = Static<typeof VersionPackages>;
