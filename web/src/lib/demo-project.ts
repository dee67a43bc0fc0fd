// By what a dashboard knows the demo project: its address and its words, in one of the languages. A person who changes
// either has made it theirs.
import { demoProjectTexts } from "#messages/demo-project.ts";
import { languages } from "#messages/language.ts";

export const demoSlug = "demo";

/** As it is created, in the language of the page. */
export const demoProject = () => ({ slug: demoSlug, icon: "◆", ...demoProjectTexts() }) as const;

export const isDemoProject = ({ slug, description }: { slug: string; description: string | null }): boolean =>
  slug === demoSlug && languages.some((language) => demoProjectTexts(language).description === description);
