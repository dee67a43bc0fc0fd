// Texts between the store, where lines end as their author's editor left them, and editors and forms, which know LF alone.

/** How the lines of a text end: as the first one does. */
export const lineEnding = (text: string): "\r\n" | "\n" => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");

/** With LF alone, as editors have it. */
export const edited = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** As it is stored, its lines ending as they did before. */
export const stored = (text: string, ending: "\r\n" | "\n"): string => edited(text).replaceAll("\n", ending);

const encoder = new TextEncoder();

/** Of UTF-8. */
export const bytesOf = (text: string): number => encoder.encode(text).byteLength;
