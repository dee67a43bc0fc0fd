// The job that takes the picture of an artifact's head, as its readers see it. Of many that come for one artifact the
// first to find it without a picture takes it, and the others have nothing left to do.
import { encodeId } from "@plinth/contract/ids";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { ArtifactType, PageReport } from "@plinth/contract/schemas/artifact";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { framedHeaders, framedTypeOf, screenshotDocument } from "../content/framed.ts";
import type { FramedVersion } from "../content/rendered.ts";
import { backgroundWork } from "../content/work.ts";
import { endTurn, screenshotKey } from "../queue/turns-of-workspaces.ts";
import { contentNonce } from "../render/headers/content-headers.ts";
import { unpack } from "../storage/pack.ts";
import { JsxError } from "../threads/jsx.ts";
import { askForPictures } from "./ask.ts";
import { claimPicture, giveUp, keepPicture, postpone, type Taken } from "./claim.ts";
import { isMachineBusy, PaintFailure, type Painter, type PaintingHost } from "./painter.ts";
import { boundedReport } from "./report.ts";
import { nobody, noBrowser } from "./without-browser.ts";

/**
 * Takes the picture if it is missing, and keeps it with what the page said. On the last try what can't be painted gets a
 * placeholder (docs/reference/security.md §2), and the job has done what it could. An attempt on a machine that is too
 * busy is no try: the version stays without a picture, and the job is asked for again later. What was published while
 * it was painting is asked for at the end.
 * @throws PaintFailure on a try before the last
 */
export async function takeThumbnail(host: PaintingHost, artifactId: string, isLastTry: boolean): Promise<void> {
  const { db, painter } = host;
  const key = screenshotKey(artifactId);
  const claim = await claimPicture(db, uuidOf("art", artifactId), painter?.version ?? nobody);
  if (claim !== null) {
    try {
      const head = await paintedOf(db, claim.artifactId);
      if (head === null) await giveUp(db, claim);
      else await keepPicture(db, claim, await take(host, head, isLastTry));
    } catch (error) {
      const isBusy = isMachineBusy(error);
      if (!isBusy && !isLastTry) {
        await giveUp(db, claim);
        throw error;
      }
      await postpone(db, claim);
      await endTurn(db, key);
      if (isBusy) return;
      throw error;
    }
  }
  // In this order: a version published from now on gets a job of its own, and one published before is seen by this statement.
  // Without a claim another painter is at it, who may have been killed, so the job is asked for again.
  await endTurn(db, key);
  await askForPictures(db, [artifactId]);
}

/** A version with what its picture is made of. */
export interface Painted extends FramedVersion {
  readonly versionNumber: number;
  readonly createdBy: Actor;
}

interface PaintedRow {
  readonly type: ArtifactType;
  readonly title: string;
  readonly workspace_id: string;
  readonly owner_username: string;
  readonly project_slug: string;
  readonly version_number: number;
  readonly created_by: Actor;
  readonly sha256: string;
  readonly data: Uint8Array;
}

const paintedStatement = `
SELECT a.type, a.title, a.workspace_id, w.slug AS owner_username, p.slug AS project_slug, v.version_number, v.created_by,
  encode(v.sha256, 'hex') AS sha256, c.data
FROM artifact a
JOIN project p ON p.project_id = a.project_id
JOIN workspace w ON w.workspace_id = a.workspace_id
JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = coalesce($2::int, a.latest_version)
JOIN content c ON c.sha256 = v.sha256
WHERE a.artifact_id = $1 AND a.deleted_at IS NULL`;

/** The head, or the version of that number; null where it is gone. */
export async function paintedOf(db: Database, artifactId: string, versionNumber?: number): Promise<Painted | null> {
  const [row] = await db.run<PaintedRow>(paintedStatement, [artifactId, versionNumber ?? null]);
  if (row === undefined) return null;
  const { type, title, owner_username: ownerUsername, project_slug: projectSlug, sha256 } = row;
  return {
    artifact: { type, title, workspaceId: encodeId("wsp", row.workspace_id), ownerUsername, projectSlug },
    version: { sha256 },
    versionNumber: row.version_number,
    createdBy: row.created_by,
    bytes: await unpack(row.data),
  };
}

/** What came of painting it. @throws PaintFailure on a try before the last */
export async function take(host: PaintingHost, head: Painted, isLastTry: boolean): Promise<Taken> {
  const { versionNumber } = head;
  const none = (failure: string, report: PageReport | null = null): Taken => ({
    versionNumber,
    painter: host.painter?.version ?? nobody,
    large: null,
    small: null,
    failure,
    report: report === null ? null : boundedReport(report),
  });
  if (host.painter === null) return none(noBrowser);
  try {
    const { large, small, report } = await paint(host, host.painter, head);
    const painter = host.painter.version;
    return { versionNumber, painter, large, small, failure: null, report: boundedReport(report) };
  } catch (error) {
    // As readers see it: there is nothing to paint, and trying again would not change that.
    if (error instanceof JsxError) return none("does not compile");
    if (error instanceof PaintFailure && isLastTry && !isMachineBusy(error)) return none(error.reason, error.report);
    throw error;
  }
}

async function paint({ db, config }: PaintingHost, painter: Painter, head: Painted) {
  const framing = { db, config, runtime: painter.runtime };
  const nonce = contentNonce();
  return painter.paint({
    html: await screenshotDocument(framing, head, nonce, backgroundWork(head.artifact.workspaceId, head.createdBy)),
    headers: framedHeaders(framing, framedTypeOf(head, "document"), nonce),
    origin: new URL(config.contentOrigin).origin,
  });
}
