// A slug made of a text that people wrote, as far as there is one in it.

/** Lower-case Latin letters and digits joined by single hyphens, at most `length` long; empty where there are none. */
export const slugFrom = (text: string, length: number): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, length)
    .replace(/-+$/, "");
