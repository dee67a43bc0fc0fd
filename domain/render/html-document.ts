// An html artifact's document: the author's own.
import type { HtmlContent } from "./document.ts";

export const htmlDocument = ({ source }: HtmlContent): string => source;
