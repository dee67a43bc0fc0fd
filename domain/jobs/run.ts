// Runs a job of each kind. Every job may run twice or late with the same result.
import type { Database } from "@plinth/db/connection";

import { applyEvent } from "../billing/events.ts";
import { reconcile } from "../billing/reconcile.ts";
import type { Config } from "../config.ts";
import { mailInvitation } from "../mail/invitation-mail.ts";
import type { Leases } from "../leases/leases.ts";
import { mailSignInLink } from "../mail/sign-in-mail.ts";
import { hasKeptPackages } from "../packages/keep.ts";
import type { JobKind, Jobs } from "../queue/kinds.ts";
import { enqueue } from "../queue/outbox.ts";
import { purge } from "../retention/purge.ts";
import { purgePackages } from "../retention/purge-packages.ts";
import { removeObjects } from "../retention/remove-objects.ts";
import { databaseTime, retain } from "../retention/retain.ts";
import { startDeadline } from "../retention/deadline.ts";
import type { Billing } from "../services.ts";
import { captureLatestVersion, captureVersion } from "../thumbnails/capture.ts";
import type { ThumbnailRenderer } from "../thumbnails/renderer.ts";
import { requestMissingScreenshots, requestPostponedScreenshots, requestScreenshots } from "../thumbnails/request.ts";
import { storePlaceholders } from "../thumbnails/without-browser.ts";
import { drawDiagrams } from "./draw-diagrams.ts";
import { askForImageLocks, fetchImages, requestLostImages, type ImageHost } from "./fetch-images.ts";
import { askForLocks, lockPackages } from "./lock-packages.ts";
import { requestMissingPackages } from "./missing-packages.ts";
import { moveContents } from "./move-contents.ts";
import { renderHeads } from "./render-heads.ts";
import { renewRenderings } from "./renew-renderings.ts";
import { renewSearchDocuments, writeSearchDocuments } from "./search-document.ts";

/** What jobs are given of the process they run in. */
export interface JobHost {
  readonly db: Database;
  readonly config: Pick<
    Config,
    | "publicUrl"
    | "contentOrigin"
    | "htmlCdnAllowlist"
    | "packageRegistry"
    | "remoteImages"
    | "secret"
    | "mail"
    | "defaultPlan"
  >;
  readonly fetchUrl?: ImageHost["fetchUrl"];
  /** Tells the processes that answer from memory of a change; none unless given. */
  readonly leases?: Pick<Leases, "tell"> | null;
  /** Null where no plans are sold. */
  readonly billing: Billing | null;
  /** Null where no browser was found. */
  readonly renderer: ThumbnailRenderer | null;
}

type Runners = {
  readonly [Kind in JobKind]: (host: JobHost, payload: Jobs[Kind], jobId: string, isLastTry: boolean) => Promise<void>;
};

const runners: Runners = {
  async head({ db, config, renderer }, { artifactIds }) {
    // Before the screenshots, which wait for them.
    if (config.packageRegistry !== null || (await hasKeptPackages(db))) await askForLocks(db, artifactIds);
    // Before the words: one whose words can't be written is shown all the same.
    await (renderer === null ? storePlaceholders(db, artifactIds) : requestScreenshots(db, artifactIds));
    if (config.remoteImages) await askForImageLocks(db, artifactIds);
    await writeSearchDocuments(db, artifactIds);
    await renderHeads(db, artifactIds, { fetchesImages: config.remoteImages, drawsDiagrams: renderer !== null });
  },
  thumbnail: (host, { artifactId }, _jobId, isLastTry) => captureLatestVersion(host, artifactId, isLastTry),
  "version-picture": (host, { artifactId, versionNumber }, _jobId, isLastTry) =>
    captureVersion(host, artifactId, versionNumber, isLastTry),
  diagrams: (host, key, _jobId, isLastTry) => drawDiagrams(host, key, isLastTry),
  thumbnails: requestMissingScreenshots,
  "thumbnails-next": requestMissingScreenshots,
  "thumbnails-postponed": (host) => requestPostponedScreenshots(host),
  async retention({ db }, _payload, jobId) {
    if (!(await retain(db, await databaseTime(db), jobId, startDeadline()))) await enqueue(db, "retention", {});
  },
  packages: (host, key, _jobId, isLastTry) => lockPackages(host, key, isLastTry),
  "packages-missing": ({ db, config }) =>
    config.packageRegistry === null ? Promise.resolve() : requestMissingPackages(db),
  images: (host, payload, _jobId, isLastTry) => fetchImages(host, payload, isLastTry),
  async renderings({ db }) {
    await renewRenderings(db);
    await renewSearchDocuments(db);
  },
  async contents({ db }) {
    if (!(await moveContents(db, startDeadline()))) await enqueue(db, "contents", {});
  },
  async purge({ db, config }, _payload, jobId) {
    const deadline = startDeadline();
    await requestLostImages(db);
    // What cannot be fetched again is kept.
    const isDone =
      (await purge(db, jobId, deadline)) &&
      (config.packageRegistry === null || (await purgePackages(db, deadline))) &&
      (await removeObjects(db, deadline));
    if (!isDone) await enqueue(db, "purge", {});
  },
  "stripe-event": (host, { eventId }, jobId) => applyEvent(host, eventId, jobId),
  "billing-reconcile": (host, _payload, jobId) => reconcile(host, jobId),
  "invitation-mail": (host, { invitationId }) => mailInvitation(host, invitationId),
  "sign-in-mail": (host, { id }, jobId) => mailSignInLink(host, id, jobId),
};

/** Whether a kind of job changes what anyone may see (docs/architecture/leases.md). */
const isLeasedChange: Readonly<Record<JobKind, boolean>> = {
  // The content of versions ends.
  retention: true,
  // A plan decides how long versions are kept.
  "stripe-event": true,
  "billing-reconcile": true,
  // They remove rows that no caller sees, or write what is read beside the rows.
  purge: false,
  head: false,
  thumbnail: false,
  "version-picture": false,
  diagrams: false,
  thumbnails: false,
  "thumbnails-next": false,
  "thumbnails-postponed": false,
  packages: false,
  "packages-missing": false,
  images: false,
  renderings: false,
  contents: false,
  "invitation-mail": false,
  "sign-in-mail": false,
};

/** Runs one job; throws what the queue is to count as a failure. After the last try it is not tried again. */
export async function runJob<Kind extends JobKind>(
  host: JobHost,
  kind: Kind,
  payload: Jobs[Kind],
  jobId: string,
  isLastTry = false,
): Promise<void> {
  try {
    await runners[kind](host, payload, jobId, isLastTry);
  } finally {
    // What a job that failed has changed is changed.
    if (isLeasedChange[kind]) await host.leases?.tell(null);
  }
}
