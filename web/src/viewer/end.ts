// Takes everything of an artifact out of the page that its reader may not see any more.
import { endings } from "#lib/endings.ts";
import type { Ending } from "#lib/watch-artifact.ts";
import { copyOf } from "#lib/parts.ts";
import { siteName } from "#lib/shown-site.ts";

/** Leaves nothing but the word about it. */
export function end(how: Ending): void {
  const said = copyOf("ended");
  for (const other of said.querySelectorAll<HTMLElement>("[data-ending]")) {
    if (other.dataset["ending"] !== how) other.remove();
  }
  said.querySelector("button")?.addEventListener("click", () => location.reload());
  document.body.replaceChildren(said);
  for (const told of document.head.querySelectorAll(
    "meta[property], meta[name=description], link[rel=canonical], link[rel=alternate]",
  )) {
    told.remove();
  }
  document.title = `${endings()[how].title} · ${siteName()}`;
}
