// Draws mutants at random, the same ones for the same seed and the same sources.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { randomFrom } from "../../harness/random.ts";
import { editsOf, isReadable } from "./edits.ts";
import { mutantOf, type Edit, type Mutant } from "./mutant.ts";
import { isTestCode, isTestSupport } from "./nearest-tests.ts";

/** Code for the reader's browser is judged by tests in a browser, which no import leads to. */
const isJudged = (file: string): boolean => !isTestCode(file) && !/^runtime\/(?:browser|ui|vendor)\//.test(file);

/**
 * At most `count` mutants of the program's files: the operator is drawn first, then a place for it, so that a rare
 * operator is tried as often as a common one. A mutant that does not parse is passed over.
 */
export function drawMutants(
  root: string,
  files: readonly string[],
  importers: ReadonlyMap<string, ReadonlySet<string>>,
  count: number,
  seed: number,
): Mutant[] {
  const sites = new Map<string, { file: string; source: string; edit: Edit }[]>();
  for (const file of files) {
    if (!isJudged(file) || isTestSupport(file, importers)) continue;
    const source = readFileSync(join(root, file), "utf8");
    for (const edit of editsOf(file, source))
      sites.set(edit.operator, [...(sites.get(edit.operator) ?? []), { file, source, edit }]);
  }
  const random = randomFrom(seed);
  const drawn: Mutant[] = [];
  while (drawn.length < count && sites.size > 0) {
    const operator = [...sites.keys()].toSorted()[Math.floor(random() * sites.size)] ?? "";
    const places = sites.get(operator) ?? [];
    const [place] = places.splice(Math.floor(random() * places.length), 1);
    if (places.length === 0) sites.delete(operator);
    if (place !== undefined && isReadable(place.file, place.source, place.edit))
      drawn.push(mutantOf(place.file, place.source, place.edit));
  }
  return drawn;
}
