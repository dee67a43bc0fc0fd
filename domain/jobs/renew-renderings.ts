// Renews what earlier versions of the renderers made, a few at a time. What can't be made any more stays as it is, and
// goes on being shown.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { currentVersions, make, rendererOf } from "../content/renderers.ts";
import { keep } from "../content/renderings.ts";
import { unpack } from "../storage/pack.ts";
import type { Work } from "../threads/fair-queue.ts";
import { JsxError } from "../threads/jsx.ts";

/** Contents held at once. */
const batch = 8;

interface Outdated {
  readonly sha256: string;
  readonly type: ArtifactType;
  readonly renderer: string;
  readonly data: Uint8Array;
}

const statement = `
SELECT encode(r.sha256, 'hex') AS sha256, r.type, r.renderer, c.data
FROM rendering r JOIN content c ON c.sha256 = r.sha256
WHERE (r.sha256, r.type, r.renderer) > (decode($1, 'hex'), $2, $3)
  AND r.renderer NOT IN (SELECT json_array_elements_text($4::text::json))
ORDER BY r.sha256, r.type, r.renderer
LIMIT ${batch}`;

/** Goes through all of them once; interrupted, the next run finds what is left. */
export async function renewRenderings(db: Database): Promise<void> {
  let last: Pick<Outdated, "sha256" | "type" | "renderer"> | undefined;
  do {
    const rows = await db.run<Outdated>(statement, [
      last?.sha256 ?? "",
      last?.type ?? "",
      last?.renderer ?? "",
      JSON.stringify(currentVersions),
    ]);
    for (const row of rows) await renew(db, row);
    last = rows.at(-1);
  } while (last !== undefined);
}

/** The earlier one goes when the new one is stored, and with a renderer that there is no more. */
async function renew(db: Database, { sha256, type, renderer, data }: Outdated): Promise<void> {
  const name = rendererOf(renderer);
  if (name !== null) {
    const work: Work = { owner: "renderings", account: "renderings", priority: "background" };
    const made = await make(name, type, await unpack(data), work).catch(orNothing);
    if (made === null || !made.whole) return;
    await keep(db, { sha256, type, name }, made.text);
  }
  await db.run("DELETE FROM rendering WHERE sha256 = decode($1, 'hex') AND type = $2 AND renderer = $3", [
    sha256,
    type,
    renderer,
  ]);
}

function orNothing(error: unknown): null {
  if (error instanceof JsxError) return null;
  throw error;
}
