// The end of kept images that no version has shown for 30 days, with the bytes that only they have
// (docs/architecture/remote-images.md).
import type { Database } from "@plinth/db/connection";

import { collectContents } from "./collect.ts";
import type { Deadline } from "./deadline.ts";

const keptDays = 30;
const imagesAtOnce = 100;

/** What another run holds, or a lock that is being written, is left to it. */
const unusedStatement = `
SELECT encode(i.key, 'hex') AS key FROM remote_image i
WHERE i.fetched_at < now() - make_interval(days => ${keptDays})
  AND NOT EXISTS (SELECT FROM image_use u WHERE u.image = i.key)
ORDER BY i.fetched_at
LIMIT ${imagesAtOnce}
FOR UPDATE SKIP LOCKED`;

/** A separate statement, because its snapshot must be later than the locks and so include uses that came before them. */
const purgeStatement = `
DELETE FROM remote_image i
WHERE i.key IN (SELECT decode(json_array_elements_text($1::text::json), 'hex'))
  AND NOT EXISTS (SELECT FROM image_use u WHERE u.image = i.key)
RETURNING encode(i.content, 'hex') AS sha256`;

/** Whether everything due is done; two at once share the work. */
export async function purgeImages(db: Database, deadline: Deadline): Promise<boolean> {
  do if (deadline.hasPassed()) return false;
  while (await purgeBatch(db));
  return true;
}

/** Whether anything went. */
const purgeBatch = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const unused = await tx.run<{ key: string }>(unusedStatement);
    if (unused.length === 0) return false;
    const purged = await tx.run<{ sha256: string }>(purgeStatement, [JSON.stringify(unused.map(({ key }) => key))]);
    await collectContents(
      tx,
      purged.map(({ sha256 }) => sha256),
    );
    return purged.length > 0;
  });
