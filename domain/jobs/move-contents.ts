// The job that brings contents from the database to object storage. Publishing writes them into the database, so that it does
// not depend on the store (docs/decisions/versions-and-content.md, "Object storage").
import type { Database } from "@plinth/db/connection";

import type { Deadline } from "../retention/deadline.ts";
import { copyContents } from "../storage/copy-contents.ts";
import { claimObjects } from "../storage/object-owner.ts";

/** Whether none is left; does nothing where object storage takes nothing new. @throws Error where a content is broken */
export async function moveContents(db: Database, deadline?: Deadline): Promise<boolean> {
  const { objects } = db;
  if (objects?.takesNew !== true) return true;
  await claimObjects(db, objects);
  const { isDone, broken } = await copyContents(db, objects, "s3", deadline === undefined ? {} : { deadline });
  if (broken.length > 0)
    throw new Error(`${broken.length} contents are not what their hash says and stay in the database: ask the doctor`);
  return isDone;
}
