// The ids of headings, which links and the sections of a source name.
import GithubSlugger from "github-slugger";

/** UTF-16 units of a heading's words that its id is made of. */
export const longestWords = 200;

/** The id of the next heading with these words, as GitHub makes it; `section` where they have no letter. Not yet in `taken`. */
export function headingId(slugger: GithubSlugger, taken: ReadonlySet<string>, words: string): string {
  const isNamed = new GithubSlugger().slug(words) !== "";
  for (;;) {
    const id = slugger.slug(isNamed ? words : "section");
    if (!taken.has(id)) return id;
  }
}
