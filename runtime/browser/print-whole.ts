// Has a document of html or jsx printed whole: what scrolls within the window is as high on paper as what it holds.

/** A part that is less of the window scrolls by design, like a list to choose from. */
const share = 0.5;

const onPaper = { height: "auto", "max-height": "none", overflow: "visible" };

export function printWhole(): void {
  const before = new Map<HTMLElement, string | null>();
  window.addEventListener("beforeprint", () => {
    const changed = new Set<HTMLElement>();
    for (const scroller of scrollers()) {
      for (let at: HTMLElement | null = scroller; at && !changed.has(at); at = at.parentElement) changed.add(at);
    }
    const isLifted = (element: HTMLElement) => /^(?:fixed|absolute)$/.test(getComputedStyle(element).position);
    for (const [element, lifted] of [...changed].map((element) => [element, isLifted(element)] as const)) {
      before.set(element, element.getAttribute("style"));
      for (const [name, value] of Object.entries({ ...onPaper, ...(lifted && { position: "static" }) })) {
        element.style.setProperty(name, value, "important");
      }
    }
  });
  window.addEventListener("afterprint", () => {
    for (const [element, style] of before) {
      if (style === null) element.removeAttribute("style");
      else element.setAttribute("style", style);
    }
    before.clear();
  });
}

function scrollers(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("html, body, body *")].filter((element) => {
    if (element.scrollHeight <= element.clientHeight + 1 || element.clientHeight < window.innerHeight * share)
      return false;
    return element === document.documentElement || getComputedStyle(element).overflowY !== "visible";
  });
}
