// The list of contents: open where it stands beside the text (contents.css), and marking the section one reads.

import { decoded } from "./fragments.ts";

/** The top of the window, in which a heading that has come up begins the section being read: a short one as well. */
const READ_TO = "0px 0px -85% 0px";
/** As in contents.css. */
const RAIL = "(min-width: 1200px)";

export function followContents(): void {
  const contents = document.querySelector(".toc");
  const details = contents?.querySelector("details");
  if (!contents || !details) return;
  const rail = matchMedia(RAIL);
  const fold = (): void => void (details.open = rail.matches);
  rail.addEventListener("change", fold);
  fold();
  contents.classList.add("ready");
  markCurrent([...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]);
}

function markCurrent(links: readonly HTMLAnchorElement[]): void {
  const linkOf = new Map<Element, HTMLAnchorElement>();
  for (const link of links) {
    const heading = document.getElementById(decoded(link.hash));
    if (heading) linkOf.set(heading, link);
  }
  let current: HTMLAnchorElement | undefined;
  const above = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect, rootBounds } of entries) {
        // What has left at the top has been read up to; what has left below has not.
        if (isIntersecting || boundingClientRect.top < (rootBounds?.top ?? 0)) above.add(target);
        else above.delete(target);
      }
      const next = linkOf.get([...linkOf.keys()].findLast((heading) => above.has(heading)) ?? document.body);
      if (next === current) return;
      current?.removeAttribute("aria-current");
      next?.setAttribute("aria-current", "location");
      current = next;
    },
    // The frame's own document is named, since margins do not hold for a window of another origin.
    { root: document, rootMargin: READ_TO },
  );
  for (const heading of linkOf.keys()) observer.observe(heading);
}
