// The slug of what `push` is given no slug for.
import { inferSlug } from "@plinth/contract/publishing/inference";

import { measure } from "../measure.ts";

/** A title and a name that give none get a hash of the title: always the same one, so that `--ensure` finds its artifact again. */
export const slugFor = (title: string, name: string): string =>
  inferSlug(title, name) ?? `artifact-${measure(title.normalize()).sha256.slice(0, 10)}`;
