// Types of a diagram's drawing: as a browser made it, and as it is stored.

/** As a browser made it in which hostile text was drawn; null where it made nothing. */
export type MadeDrawing = { readonly svg: string } | { readonly problem: string } | null;

/** As it is stored: HTML that may stand in a document; null where the reader's browser is to draw. */
export type Drawing = { readonly svg: string } | { readonly caption: string } | null;
