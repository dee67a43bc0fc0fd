// The job that ends what can't come back: artifacts deleted more than 30 days ago, and what is past its day:
// unused images and files, idempotency records, sessions, codes and tokens (docs/reference/contract.md §2 and §6), events that
// Stripe sent.
import { idempotencyHours } from "@plinth/contract/limits";
import type { Database } from "@plinth/db/connection";

import { staleViews } from "../artifacts/page-views.ts";
import { endedIdTokenUses } from "../credentials/id-token-use.ts";
import { expiredExchanges } from "../credentials/trust.ts";
import { purgeOAuth } from "../identity/oauth/purge.ts";
import { removeStale } from "../queue/worker-process.ts";
import { staleVersionScreenshots } from "../thumbnails/version-screenshots.ts";
import { purgeArtifacts } from "./purge-artifacts.ts";
import { purgeFiles, staleUploads } from "./purge-files.ts";
import { purgeImages } from "./purge-images.ts";
import { noDeadline, type Deadline } from "./deadline.ts";

/** For longer than Stripe sends an event again, by itself or because it is told to. */
const eventDays = 30;

const pastTheirDay = [
  "DELETE FROM session WHERE expires_at <= now()",
  "DELETE FROM sign_in_link WHERE expires_at <= now()",
  "DELETE FROM email_sign_in WHERE expires_at <= now()",
  `DELETE FROM idempotency WHERE created_at < now() - make_interval(hours => ${idempotencyHours})`,
  expiredExchanges,
  endedIdTokenUses,
  staleVersionScreenshots,
  staleUploads,
  staleViews,
  `DELETE FROM stripe_event WHERE received_at < now() - make_interval(days => ${eventDays})`,
];

/** Whether everything due is done; the next run does the rest. */
export async function purge(db: Database, requestId: string, deadline: Deadline = noDeadline): Promise<boolean> {
  await purgeOAuth(db);
  await removeStale(db);
  for (const statement of pastTheirDay) await db.run(statement);
  return (
    (await purgeArtifacts(db, requestId, deadline)) && (await purgeImages(db, deadline)) && purgeFiles(db, deadline)
  );
}
