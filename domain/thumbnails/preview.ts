// Preview of a version as readers see it, for an author that cannot look, for example an agent
// (docs/reference/experience.md §3, `get_artifact_preview`).
import type { PageReport, Preview } from "@plinth/contract/schemas/artifact";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { LoadedVersion } from "../access/resource.ts";
import { missingOfVersion } from "../artifacts/missing-references.ts";
import { artifactUrl } from "../artifacts/present.ts";
import { documentDrawings } from "../content/drawings.ts";
import { filesImportedBy } from "../content/importable-files.ts";
import { rendered } from "../content/renderings.ts";
import { packageInWords, packagesOfVersion } from "../content/version-packages.ts";
import { workFor } from "../content/work.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { filesOfSet } from "../files/read.ts";
import { shownAsWrittenIn } from "../threads/bounded-tasks.ts";
import { JsxError } from "../threads/jsx.ts";
import { thumbnailState } from "./show.ts";

/** Waits until the version is rendered, because readers see "still rendering" for moments only. @throws busy */
export const previewArtifact: JsonHandler<"artifact.preview"> = async (context, _input, loaded) => {
  const { artifact, version } = loaded;
  const { errors, ...warnings } = await renderingOf(context, loaded);
  // A text that takes too long to render takes too long to read as well.
  const isTooLarge = artifact.type === "md" && errors.length > 0;
  const missing = isTooLarge ? undefined : await missingOfVersion(context, loaded);
  return {
    artifactId: artifact.artifactId,
    versionNumber: version.versionNumber,
    url: artifactUrl(context, artifact, version.versionNumber),
    shownAs: errors.length > 0 ? "source" : "document",
    errors,
    ...warnings,
    ...(await captureOf(context.db, loaded)),
    ...(await packagesInWords(context, loaded)),
    ...(await filesBeside(context, loaded)),
    ...(missing !== undefined && { missing }),
  };
};

/** Left out where there are none. */
async function filesBeside({ db }: Context, { version: { files } }: LoadedVersion): Promise<Pick<Preview, "files">> {
  if (files === null) return {};
  return { files: (await filesOfSet(db, files)).map(({ path, sizeBytes }) => ({ path, sizeBytes })) };
}

/** Left out where it loads none. @throws busy */
async function packagesInWords(context: Context, loaded: LoadedVersion): Promise<Pick<Preview, "packages">> {
  const work = workFor(context.principal, loaded.artifact.workspaceId);
  const packages = await packagesOfVersion(context, loaded, work);
  // What others import is in the whole list.
  const named = packages.filter(({ urls }) => urls.length > 0);
  return named.length === 0 ? {} : { packages: named.map(packageInWords) };
}

/** `warnings` is left out where there are none. @throws busy */
async function renderingOf(
  { db, principal }: Context,
  { artifact, version, bytes }: LoadedVersion,
): Promise<Pick<Preview, "errors" | "warnings">> {
  const { type } = artifact;
  // A browser shows html as it was written.
  if (type === "html" || bytes === null) return { errors: [] };
  try {
    const beside = filesImportedBy(type, bytes, version.files);
    const rendering = { sha256: version.sha256, type, name: type, beside };
    const work = workFor(principal, artifact.workspaceId);
    const { text, whole } = await rendered(db, rendering, bytes, work);
    if (!whole) return { errors: [{ message: tooExpensive }] };
    if (type !== "md") return { errors: [] };
    const drawings = await documentDrawings(db, version.sha256, text);
    const warnings = await shownAsWrittenIn(text, Object.values(drawings?.byKey ?? {}), work);
    return { errors: [], ...(warnings.length > 0 && { warnings: [...warnings] }) };
  } catch (error) {
    if (!(error instanceof JsxError)) throw error;
    return { errors: error.problems.map(({ message, line, column }) => ({ message, line, column })) };
  }
}

const tooExpensive = "It takes more processor time or memory to render than is allowed, so that its source is shown";

interface CaptureRow {
  /** The version in the screenshot; null where no capture has ended. */
  readonly screenshot_of: number | null;
  readonly is_taken: boolean;
  readonly report: PageReport | null;
}

const captureStatement = `
SELECT t.version_number AS screenshot_of, t.large IS NOT NULL AS is_taken, (
  SELECT r.report FROM page_report r WHERE r.artifact_id = $1 AND r.version_number = $2
) AS report
FROM (SELECT) AS one LEFT JOIN thumbnail t ON t.artifact_id = $1`;

/** Only the latest version has a screenshot here; the page report belongs to its version. */
async function captureOf(
  db: Database,
  { artifact, version: { versionNumber } }: LoadedVersion,
): Promise<Pick<Preview, "thumbnail" | "page">> {
  const [row] = await db.run<CaptureRow>(captureStatement, [uuidOf("art", artifact.artifactId), versionNumber]);
  const page = row?.report ?? null;
  if (versionNumber !== artifact.latestVersion) return { thumbnail: null, page };
  const screenshot = row?.screenshot_of === versionNumber ? { isTaken: row.is_taken } : null;
  return { thumbnail: thumbnailState(screenshot), page };
}
