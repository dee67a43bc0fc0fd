// A new version made from the head by exact replacement (docs/reference/contract.md §4), so that changing one
// line does not mean sending the whole text.
import type { Input } from "@plinth/contract/registry";
import type { Version } from "@plinth/contract/schemas/artifact";

import type { LoadedVersion } from "../access/resource.ts";
import { prepare } from "../content/source.ts";
import type { Context } from "../context.ts";
import { explainConflict } from "./conflict.ts";
import { editedText } from "./edited-text.ts";
import { publish } from "./publish.ts";

/**
 * The edits apply to the loaded head. If the head has moved since, it is a conflict even without an expected version,
 * because the edits were meant for another text.
 * @throws invalid_request, invalid_source, busy, version_conflict, content_too_large
 */
export async function editVersion(
  context: Context,
  input: Input<"version.edit">,
  loaded: LoadedVersion,
): Promise<Version> {
  const { artifact, version } = loaded;
  const head = {
    artifactId: artifact.artifactId,
    type: artifact.type,
    changelog: input.changelog ?? null,
    expected: input.expectedLatestVersion ?? version.versionNumber,
    restoredFrom: null,
  };
  // Of another head than the expected one nothing is said but that: its text may lack what is to be replaced.
  if (head.expected !== version.versionNumber) throw await explainConflict(context, head);
  const text = await (context.editedAhead ?? editedText(context, loaded, input.edits));
  return publish(context, artifact, head, await prepare(context, artifact, text, () => Promise.resolve(version.files)));
}
