// Draws the mermaid figures that the document came without drawings of, when they come near the window, one after the
// other, from this instance's own copy, which is loaded with the first of them. A figure that can't be drawn keeps its
// source, and says why.
import { tooMuch } from "./diagram-bounds.ts";

/** How far outside the window a figure is still drawn. */
const NEAR = "800px 0px";

export function drawDiagrams(): void {
  /** The source of each, which a drawing takes the place of. */
  const sources = new Map<Element, string>();
  for (const figure of document.querySelectorAll("figure.mermaid:has(> pre)")) {
    sources.set(figure, figure.querySelector("pre")?.textContent ?? "");
  }
  if (sources.size === 0) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let drawing = Promise.resolve();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const source = sources.get(target);
        if (!isIntersecting || source === undefined) continue;
        observer.unobserve(target);
        drawing = drawing.then(() => draw(target as HTMLElement, source, dark.matches ? "dark" : "light"));
      }
    },
    { root: document, rootMargin: NEAR },
  );
  const watch = (): void => {
    for (const figure of sources.keys()) observer.observe(figure);
  };
  dark.addEventListener("change", watch);
  watch();
}

async function draw(element: HTMLElement, source: string, scheme: "light" | "dark"): Promise<void> {
  if (element.dataset["scheme"] === scheme || element.querySelector(".diagram-problem")) return;
  const bound = tooMuch(source);
  if (bound !== null) return say(element, bound);
  try {
    const { drawDiagram } = await import("./diagram-drawing.ts");
    element.replaceChildren(await drawDiagram(source, { scheme, width: element.clientWidth }));
    element.dataset["scheme"] = scheme;
  } catch (error) {
    say(element, `This diagram could not be drawn: ${firstLine(error)}`);
  }
}

function say(element: HTMLElement, text: string): void {
  element.append(
    Object.assign(document.createElement("figcaption"), { className: "diagram-problem", textContent: text }),
  );
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.slice(0, 200) ?? "";
