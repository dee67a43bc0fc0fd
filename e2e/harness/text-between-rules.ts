/** A document that begins with text between two rules, of which a reader of front matter would hide all but the end. */
export const source = "---\n# Status\n\nWe ship on Monday.\n\nTwo *risks*\nremain\n---\n\nRegards\n";
