// The script of pages that are plain HTML: copying, menus that close again, and which of several links was followed last.
import { answerCopying } from "../viewer/copy.ts";
import { closeMenus } from "../viewer/menus.ts";

answerCopying();
closeMenus();
window.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest<HTMLElement>("[data-one-of]") : null;
  if (link === null) return;
  for (const other of document.querySelectorAll<HTMLElement>(`[data-one-of="${link.dataset["oneOf"]}"]`)) {
    if (other === link) other.setAttribute("aria-current", "true");
    else other.removeAttribute("aria-current");
  }
});
