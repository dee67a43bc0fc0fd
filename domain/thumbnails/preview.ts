// How a version is shown to its readers, for who published it and cannot look (docs/reference/experience.md §3,
// `get_artifact_preview`).
import type { Input } from "@plinth/contract/registry";
import type { Preview } from "@plinth/contract/schemas/artifact";

import type { LoadedVersion } from "../access/resource.ts";
import { artifactUrl } from "../artifacts/present.ts";
import { rendered } from "../content/renderings.ts";
import { workFor } from "../content/work.ts";
import type { Context } from "../context.ts";
import { JsxError } from "../threads/jsx.ts";
import { seenOf } from "./seen.ts";

/** Waits until it is rendered, because "still rendering" is not how it looks. @throws busy */
export async function previewArtifact(
  context: Context,
  _input: Input<"artifact.preview">,
  loaded: LoadedVersion,
): Promise<Preview> {
  const { artifact, version } = loaded;
  const errors = await renderErrors(context, loaded);
  return {
    artifactId: artifact.artifactId,
    versionNumber: version.versionNumber,
    url: artifactUrl(context, artifact, version.versionNumber),
    shownAs: errors.length > 0 ? "source" : "document",
    errors,
    ...(await seenOf(context.db, loaded)),
  };
}

async function renderErrors(
  { db, principal }: Context,
  { artifact, version, bytes }: LoadedVersion,
): Promise<Preview["errors"]> {
  const { type } = artifact;
  // A browser shows html as it was written.
  if (type === "html" || bytes === null) return [];
  try {
    const rendering = { sha256: version.sha256, type, name: type };
    const { whole } = await rendered(db, rendering, bytes, workFor(principal, artifact.workspaceId));
    return whole
      ? []
      : [{ message: "It takes more processor time or memory to render than is allowed, so that its source is shown" }];
  } catch (error) {
    if (!(error instanceof JsxError)) throw error;
    return error.problems.map(({ message, line, column }) => ({ message, line, column }));
  }
}
