// A new version made from the head by exact replacement (docs/reference/contract.md §4), so that changing one
// line does not mean sending the whole text.
import type { Input } from "@plinth/contract/registry";
import type { Version } from "@plinth/contract/schemas/artifact";

import type { LoadedVersion } from "../access/resource.ts";
import { missingField, prepareWithMissing } from "../artifacts/missing-references.ts";
import type { PreparedVersion } from "../content/source.ts";
import type { Context } from "../context.ts";
import { sourceText } from "../storage/source-text.ts";
import type { NewHead } from "./append-statement.ts";
import { editedText } from "./edited-text.ts";
import { explainConflict, publish } from "./publish.ts";

/**
 * The edits apply to the loaded head. If the head has moved since, it is a conflict even without an expected version,
 * because the edits were meant for another text.
 * @throws invalid_request, invalid_source, busy, version_conflict, content_too_large
 */
export async function prepareEdit(
  context: Context,
  input: Input<"version.edit">,
  loaded: LoadedVersion,
): Promise<PreparedVersion> {
  const { artifact, version } = loaded;
  const head = headOf(input, loaded);
  // Of another head than the expected one nothing is said but that: its text may lack what is to be replaced.
  if (head.expected !== version.versionNumber) throw await explainConflict(context, head);
  const text = await editedText(context, loaded, input.edits);
  const beside = () => Promise.resolve(version.files);
  return { files: "kept", ...(await prepareWithMissing(context, artifact, sourceText(text), beside)) };
}

/** @throws version_conflict */
export const editVersion = async (
  context: Context,
  input: Input<"version.edit">,
  loaded: LoadedVersion,
  { source, missing }: PreparedVersion,
): Promise<Version> => ({
  ...(await publish(context, loaded.artifact, headOf(input, loaded), source)),
  ...missingField(missing),
});

const headOf = (input: Input<"version.edit">, { artifact, version }: LoadedVersion): NewHead => ({
  artifactId: artifact.artifactId,
  type: artifact.type,
  changelog: input.changelog ?? null,
  expected: input.expectedLatestVersion ?? version.versionNumber,
  restoredFrom: null,
});
