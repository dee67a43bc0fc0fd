// An html artifact's document: the author's own, with the guard as the first script that runs in it.
import type { Runtime } from "@plinth/runtime/manifest";
import type { HtmlContent } from "./content.ts";
import { headStart } from "./head-start.ts";
import { filesAttribute } from "./files-attribute.ts";
import { inlineScriptText } from "./inline-script.ts";

/** Once the guard has run and removed itself, the DOM is the one of the source alone. */
export function htmlDocument({ source, files = null }: HtmlContent, { guard }: Runtime): string {
  const at = headStart(source);
  if (at === null) return source;
  return `${source.slice(0, at)}<script${filesAttribute(files)}>${inlineScriptText(guard)}</script>${source.slice(at)}`;
}
