// The next slug with a number, as the API suggests one.
import { slugLength } from "@plinth/contract/limits";

/** The slug with the next number that none of `taken` has: `report-2`, after it `report-3`. */
export function nextSlug(slug: string, taken: ReadonlySet<string>): string {
  const [, stem = slug, last = "1"] = /^(.+?)-([1-9]\d{0,8})$/.exec(slug) ?? [];
  for (let number = Number(last) + 1; ; number++) {
    const end = `-${number}`;
    const next = `${stem.slice(0, slugLength - end.length).replace(/-+$/, "")}${end}`;
    if (!taken.has(next)) return next;
  }
}
