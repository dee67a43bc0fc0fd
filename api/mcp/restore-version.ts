// `restore_artifact_version` without a version takes back the last change.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { invalid } from "@plinth/domain/input";

import type { Arguments } from "./arguments.ts";
import { perform, type Exchange } from "./exchange.ts";

/** The arguments with the version before the latest, where none is named. @throws AppError */
export async function withVersionToRestore(exchange: Exchange, given: Arguments): Promise<Arguments> {
  const { artifactId, versionNumber } = given.input;
  if (versionNumber !== undefined || typeof artifactId !== "string" || given.errors.length > 0) return given;
  const { value } = await perform(exchange, "artifact.get", { input: { artifactId }, errors: [] });
  const { latestVersion } = value as Artifact;
  if (latestVersion === 1)
    throw invalid([
      { path: "versionNumber", message: "names no version before the latest, because there is only one" },
    ]);
  return { ...given, input: { ...given.input, versionNumber: latestVersion - 1 } };
}
