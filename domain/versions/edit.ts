// A new version made from the head by exact, unique replacement (docs/reference/contract.md §4), so that changing one
// line does not mean sending the whole text.
import type { FieldError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { Version } from "@plinth/contract/schemas/artifact";

import type { LoadedVersion } from "../access/resource.ts";
import { prepare } from "../content/source.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import { textOf } from "../storage/pack.ts";
import { requireSize } from "../storage/size.ts";
import { explainConflict } from "./conflict.ts";
import { publish } from "./publish.ts";

type Edit = Input<"version.edit">["edits"][number];

/**
 * The edits apply to the loaded head. If the head has moved since, it is a conflict even without an expected version,
 * because the edits were meant for another text.
 * @throws invalid_request, invalid_source, busy, version_conflict, content_too_large
 */
export async function editVersion(
  context: Context,
  input: Input<"version.edit">,
  { artifact, version, bytes }: LoadedVersion,
): Promise<Version> {
  const head = {
    artifactId: artifact.artifactId,
    type: artifact.type,
    changelog: input.changelog ?? null,
    expected: input.expectedLatestVersion ?? version.versionNumber,
    restoredFrom: null,
  };
  // Of another head than the expected one nothing is said but that: its text may lack what is to be replaced.
  if (head.expected !== version.versionNumber) throw await explainConflict(context, head);
  const text = applyEdits(textOf(bytes ?? new Uint8Array()), input.edits);
  requireSize(text, context.config.maxContentBytes);
  return publish(context, artifact, head, await prepare(context, artifact, text));
}

/** One after another, each on the text that the one before left. @throws invalid_request */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, { oldText, newText }, index) => {
    const at = current.indexOf(oldText);
    if (at < 0) throw invalid([problem(index, "does not occur in the text")]);
    if (current.indexOf(oldText, at + 1) >= 0) throw invalid([problem(index, "occurs more than once in the text")]);
    return current.slice(0, at) + newText + current.slice(at + oldText.length);
  }, text);
}

const problem = (index: number, message: string): FieldError => ({ path: `edits.${index}.oldText`, message });
