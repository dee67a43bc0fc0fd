// Renews what earlier versions of the renderers made, a few at a time. What can't be made any more stays as it is, and
// goes on being shown.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { type ImportableFiles, packedFiles } from "../content/importable-files.ts";
import { currentVersions, make, rendererOf } from "../content/renderers.ts";
import { keep } from "../content/renderings.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";
import type { Work } from "../threads/fair-queue.ts";
import { JsxError } from "../threads/jsx.ts";

/** Contents held at once. */
const batch = 8;

interface Outdated {
  readonly sha256: string;
  readonly type: ArtifactType;
  readonly renderer: string;
  readonly data: Uint8Array;
  /** A set of the files beside the document that it imports; null where it imports none, or none has them any more. */
  readonly file_set: string | null;
  readonly base: string | null;
}

const statement = `
SELECT encode(r.sha256, 'hex') AS sha256, r.type, r.renderer, ${storedContent} AS data, s.file_set_id AS file_set, s.base
FROM rendering r JOIN content c ON c.sha256 = r.sha256
LEFT JOIN LATERAL (
  SELECT file_set_id, base FROM file_set WHERE file_set.sha256 = decode(split_part(r.renderer, '-', 3), 'hex') LIMIT 1
) s ON split_part(r.renderer, '-', 3) <> ''
WHERE (r.sha256, r.type, r.renderer) > (decode($1, 'hex'), $2, $3)
  AND split_part(r.renderer, '-', 1) || '-' || split_part(r.renderer, '-', 2) NOT IN (SELECT json_array_elements_text($4::text::json))
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
async function renew(db: Database, outdated: Outdated): Promise<void> {
  const { sha256, type, renderer, data } = outdated;
  const name = rendererOf(renderer);
  const beside = besideOf(outdated);
  if (name !== null && beside !== "gone") {
    const work: Work = { owner: "renderings", account: "renderings", priority: "background" };
    const files = beside === null ? null : await packedFiles(db, beside);
    const made = await make(name, await contentBytes(db, data), { type, work, beside: files }).catch(orNothing);
    if (made === null || !made.whole) return;
    await keep(db, { sha256, type, name, beside }, made.text);
  }
  await db.run("DELETE FROM rendering WHERE sha256 = decode($1, 'hex') AND type = $2 AND renderer = $3", [
    sha256,
    type,
    renderer,
  ]);
}

/** What the document imports of the files beside it; "gone" where no version has them any more. */
function besideOf({ renderer, file_set: fileSetId, base }: Outdated): ImportableFiles | "gone" | null {
  const [, , sha256 = ""] = renderer.split("-");
  if (sha256 === "") return null;
  return fileSetId === null ? "gone" : { sha256, base: base ?? "", from: { fileSetId } };
}

function orNothing(error: unknown): null {
  if (error instanceof JsxError) return null;
  throw error;
}
