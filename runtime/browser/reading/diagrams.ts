// Draws the mermaid figures that the document came without drawings of, when they come near the window, one after the
// other, from this instance's own copy, which is loaded with the first of them. A figure that can't be drawn keeps its
// source, and says why.
import { tooMuch } from "./diagram-bounds.ts";

/** How far outside the window a figure is still drawn. */
const NEAR = "800px 0px";

interface Figure {
  readonly element: HTMLElement;
  readonly source: string;
}

export function drawDiagrams(): void {
  const figures = new Map<Element, Figure>();
  for (const element of document.querySelectorAll<HTMLElement>("figure.mermaid:has(> pre)")) {
    figures.set(element, { element, source: element.querySelector("pre")?.textContent ?? "" });
  }
  if (figures.size === 0) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let drawing = Promise.resolve();
  const queue = (figure: Figure): void => {
    drawing = drawing.then(() => draw(figure, dark.matches ? "dark" : "light"));
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const figure = figures.get(target);
        if (!isIntersecting || !figure) continue;
        observer.unobserve(target);
        queue(figure);
      }
    },
    { root: document, rootMargin: NEAR },
  );
  const watch = (): void => {
    for (const element of figures.keys()) observer.observe(element);
  };
  dark.addEventListener("change", watch);
  watch();
}

async function draw({ element, source }: Figure, scheme: "light" | "dark"): Promise<void> {
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
  const problem = document.createElement("figcaption");
  problem.className = "diagram-problem";
  problem.textContent = text;
  element.append(problem);
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.slice(0, 200) ?? "";
