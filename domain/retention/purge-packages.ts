// The end of packages that no lock has named for 30 days, with the contents that only they have. A version that is locked
// to such a package at the same time either keeps it, or fails and fetches it again.
import type { Database } from "@plinth/db/connection";

import { collectContents } from "./collect.ts";
import { noDeadline, type Deadline } from "./deadline.ts";

const unusedDays = 30;
const packagesAtOnce = 50;

const isUsed = "EXISTS (SELECT FROM package_use u WHERE u.package = p.sha256)";

const noteStatement = `
UPDATE package p SET unused_at = CASE WHEN p.unused_at IS NULL THEN now() END
WHERE (p.unused_at IS NULL) <> ${isUsed}`;

const heldStatement = `
SELECT encode(p.sha256, 'hex') AS sha256 FROM package p
WHERE p.unused_at < now() - make_interval(days => ${unusedDays}) AND NOT ${isUsed}
ORDER BY p.sha256
LIMIT ${packagesAtOnce}
FOR UPDATE SKIP LOCKED`;

/** A separate statement, because its snapshot must be later than the locks on the packages, which new uses wait for. */
const purgeStatement = `
WITH gone AS (
  DELETE FROM package p
  WHERE p.sha256 IN (SELECT decode(json_array_elements_text($1::text::json), 'hex')) AND NOT ${isUsed}
  RETURNING p.sha256
)
SELECT DISTINCT encode(f.content, 'hex') AS sha256 FROM package_file f JOIN gone ON gone.sha256 = f.package`;

/** Whether it came to the end of what is due. */
export async function purgePackages(db: Database, deadline: Deadline = noDeadline): Promise<boolean> {
  await db.run(noteStatement);
  do if (deadline.hasPassed()) return false;
  while (await purgeBatch(db));
  return true;
}

/** Whether anything was due. */
const purgeBatch = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const held = await tx.run<{ sha256: string }>(heldStatement);
    if (held.length === 0) return false;
    const contents = await tx.run<{ sha256: string }>(purgeStatement, [
      JSON.stringify(held.map(({ sha256 }) => sha256)),
    ]);
    await collectContents(
      tx,
      contents.map(({ sha256 }) => sha256),
    );
    return true;
  });
