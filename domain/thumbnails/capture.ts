// The jobs that capture a version as its readers see it: the latest version of an artifact, or an older one on request.
import { encodeId } from "@plinth/contract/ids";
import { pageReportLimits } from "@plinth/contract/limits";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { ArtifactType, PageReport } from "@plinth/contract/schemas/artifact";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { framedHeaders, framedTypeOf, screenshotDocument, withLock } from "../content/framed-document.ts";
import { versionLock } from "../content/package-documents.ts";
import type { FramedVersion } from "../content/framed-version.ts";
import { isLockRequested } from "../content/request-locks.ts";
import { backgroundWork } from "../content/work.ts";
import type { VersionKey } from "../packages/lock.ts";
import { endTurn, screenshotKey } from "../queue/turns-of-workspaces.ts";
import { contentNonce } from "../render/headers/content-headers.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";
import { JsxError } from "../threads/jsx.ts";
import { claimScreenshot, postpone, releaseClaim, storeScreenshot, type CaptureResult } from "./claim.ts";
import { CaptureError, isMachineBusy, screenshotPath, type CaptureHost, type ThumbnailRenderer } from "./renderer.ts";
import type { FileSetRow } from "../access/resource.ts";
import { expireScreenshot } from "./expire.ts";
import { encodedPath } from "@plinth/contract/publishing/file-path";
import { documentFiles } from "../content/document-files.ts";
import { fileSetOf, fileSetSelect, type FileSetColumns } from "../access/file-set.ts";
import { documentFilesAt, filesRoot } from "./document-files-at.ts";
import { requestScreenshots } from "./request.ts";
import { claimVersion, releaseVersion, storeVersion } from "./version-screenshots.ts";
import { noBrowser, noRenderer } from "./without-browser.ts";

/**
 * Captures the latest version unless it has a screenshot, and stores the result with the page's report. On the last try,
 * a document that cannot be captured gets a placeholder (docs/reference/security.md §2), and the job succeeds. An attempt
 * on a machine that is too busy is not a try: the version stays pending and is requested again later. A version that was
 * published during the capture is requested at the end.
 * @throws CaptureError on a try before the last
 */
export async function captureLatestVersion(host: CaptureHost, artifactId: string, isLastTry: boolean): Promise<void> {
  const { db, renderer } = host;
  const key = screenshotKey(artifactId);
  const claim = await claimScreenshot(db, uuidOf("art", artifactId), renderer?.version ?? noRenderer);
  if (claim !== null) {
    try {
      const version = await findVersionToCapture(db, claim.artifactId);
      if (version !== null && (await isWaitingForPackages(db, version))) {
        await releaseClaim(db, claim);
        await endTurn(db, key);
        // The job that writes the lock requests the screenshot; it may have ended since.
        if (!(await isWaitingForPackages(db, version))) await requestScreenshots(db, [artifactId]);
        return;
      }
      if (version === null) await releaseClaim(db, claim);
      else {
        await storeScreenshot(db, claim, await capture(host, version, isLastTry));
        if (await hasOtherPackages(db, version)) await expireScreenshot(db, version.version);
      }
    } catch (error) {
      const isBusy = isMachineBusy(error);
      if (!isBusy && !isLastTry) {
        await releaseClaim(db, claim);
        throw error;
      }
      await postpone(db, claim);
      await endTurn(db, key);
      if (isBusy) return;
      throw error;
    }
  }
  // In this order: a version published after `endTurn` gets its own job, and the request finds one published before.
  // Without a claim, another worker is capturing and may have been killed, so the job is requested again.
  await endTurn(db, key);
  await requestScreenshots(db, [artifactId], renderer?.version);
}

/**
 * Captures an older version unless it has a screenshot. On the last try, a document that cannot be captured gets a
 * placeholder. On a machine that is too busy the version stays pending, and the next reader requests it again.
 * @throws CaptureError on a try before the last
 */
export async function captureVersion(
  host: CaptureHost,
  artifactId: string,
  versionNumber: number,
  isLastTry: boolean,
): Promise<void> {
  const { db } = host;
  const key = screenshotKey(artifactId, versionNumber);
  const claim = await claimVersion(db, uuidOf("art", artifactId), versionNumber);
  if (claim === null) return endTurn(db, key);
  try {
    const version = await findVersionToCapture(db, claim.artifactId, versionNumber);
    if (version === null || (await isWaitingForPackages(db, version))) await releaseVersion(db, claim);
    else await storeVersion(db, claim, await capture(host, version, isLastTry));
  } catch (error) {
    await releaseVersion(db, claim);
    const isBusy = isMachineBusy(error);
    if (isBusy || isLastTry) await endTurn(db, key);
    if (isBusy) return;
    throw error;
  }
  await endTurn(db, key);
}

interface VersionToCapture extends FramedVersion {
  readonly version: FramedVersion["version"] & VersionKey & { readonly files: FileSetRow | null };
  readonly versionNumber: number;
  readonly createdBy: Actor;
}

interface VersionToCaptureRow extends FileSetColumns {
  readonly type: ArtifactType;
  readonly title: string;
  readonly workspace_id: string;
  readonly owner_username: string;
  readonly project_slug: string;
  readonly source_path: string | null;
  readonly version_number: number;
  readonly created_by: Actor;
  readonly sha256: string;
  readonly data: Uint8Array;
}

const versionStatement = `
SELECT a.type, a.title, a.workspace_id, w.slug AS owner_username, p.slug AS project_slug, a.source_path, v.version_number, v.created_by,
  encode(v.sha256, 'hex') AS sha256, ${storedContent} AS data, ${fileSetSelect}
FROM artifact a
JOIN project p ON p.project_id = a.project_id
JOIN workspace w ON w.workspace_id = a.workspace_id
JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = coalesce($2::int, a.latest_version)
JOIN content c ON c.sha256 = v.sha256
LEFT JOIN file_set s ON s.file_set_id = v.file_set
WHERE a.artifact_id = $1 AND a.deleted_at IS NULL`;

/** By default the latest version; null where it does not exist or has no content. */
async function findVersionToCapture(
  db: Database,
  artifactId: string,
  versionNumber?: number,
): Promise<VersionToCapture | null> {
  const [row] = await db.run<VersionToCaptureRow>(versionStatement, [artifactId, versionNumber ?? null]);
  if (row === undefined) return null;
  const { type, title, owner_username: ownerUsername, project_slug: projectSlug, sha256 } = row;
  return withLock(db, {
    artifact: {
      type,
      title,
      workspaceId: encodeId("wsp", row.workspace_id),
      ownerUsername,
      projectSlug,
      sourcePath: row.source_path,
    },
    version: {
      sha256,
      artifactId: encodeId("art", artifactId),
      versionNumber: row.version_number,
      files: fileSetOf(row),
    },
    versionNumber: row.version_number,
    createdBy: row.created_by,
    bytes: await contentBytes(db, row.data),
  });
}

/** Whether a job that writes the version's first lock waits or runs. */
const isWaitingForPackages = async (db: Database, { lock, version }: VersionToCapture): Promise<boolean> =>
  lock === null && (await versionLock(db, version)) === null && isLockRequested(db, version);

/** Whether the lock has changed since the version was read. */
const hasOtherPackages = async (db: Database, { lock, version }: VersionToCapture): Promise<boolean> =>
  lock !== undefined && (await versionLock(db, version))?.digest !== lock?.digest;

/** @throws CaptureError on a try before the last, or where the machine is too busy */
async function capture(host: CaptureHost, version: VersionToCapture, isLastTry: boolean): Promise<CaptureResult> {
  const { renderer } = host;
  const { versionNumber } = version;
  const rendererVersion = renderer?.version ?? noRenderer;
  const placeholder = (failure: string, report: PageReport | null = null): CaptureResult => ({
    versionNumber,
    rendererVersion,
    large: null,
    small: null,
    failure,
    report: report === null ? null : boundedReport(report),
  });
  if (renderer === null) return placeholder(noBrowser);
  try {
    const { large, small, report } = await captureDocument(host, renderer, version);
    return { versionNumber, rendererVersion, large, small, failure: null, report: boundedReport(report) };
  } catch (error) {
    // Readers see no document either, and another try would not change that.
    if (error instanceof JsxError) return placeholder("does not compile");
    if (error instanceof CaptureError && isLastTry && !isMachineBusy(error))
      return placeholder(error.reason, error.report);
    throw error;
  }
}

async function captureDocument({ db, config }: CaptureHost, renderer: ThumbnailRenderer, version: VersionToCapture) {
  const nonce = contentNonce();
  const work = backgroundWork(version.artifact.workspaceId, version.createdBy);
  const { lock = null } = version;
  const { files: set } = version.version;
  const { origin } = new URL(config.contentOrigin);
  const files = await documentFiles(db, set, origin + filesRoot);
  const path = set === null ? screenshotPath : filesRoot + encodedPath(set.base);
  const framing = { db, config, runtime: renderer.runtime, ownUrl: origin + path };
  return renderer.capture(
    {
      html: await screenshotDocument(framing, { ...version, files }, nonce, work),
      headers: framedHeaders(framing, framedTypeOf(version, "document"), nonce, { lock, files }),
      origin,
      path,
    },
    documentFilesAt(db, lock, set),
  );
}

/** A page writes its report, so the text is hostile: cut, and made valid for the database. */
function boundedReport({ errors, console }: PageReport): PageReport {
  const { messages } = pageReportLimits;
  return {
    errors: errors.slice(0, messages).map((error) => ({ ...error, message: bounded(error.message) })),
    console: console.slice(0, messages).map((line) => ({ ...line, text: bounded(line.text) })),
  };
}

/** Cuts no surrogate pair in two, and replaces NUL, which PostgreSQL refuses. */
const bounded = (text: string): string =>
  text
    .slice(0, pageReportLimits.characters)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed()
    .replaceAll("\0", "\ufffd");
