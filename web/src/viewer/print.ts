// Printing an artifact. A document of html or jsx prints itself; markdown and source may open no dialog in their
// sandbox, so there the page prints, with the frame as wide as paper and as high as the document.
import { framedAs } from "@plinth/contract/frame";
import type { FrameHost } from "./frame.ts";
import { part } from "./parts.ts";
import { shown } from "./shown.ts";

/** The width that the frame is printed at, in CSS pixels: a reading column. The browser fits it to the paper. */
const paperWidth = 760;
/** So long a frame has to say how high it is at that width. */
const layoutMs = 400;

/** Prints on the button and on the browser's own key, and has the page ready where the browser's menu prints. */
export function answerPrinting(frame: FrameHost): void {
  document.documentElement.style.setProperty("--paper-width", `${paperWidth}px`);
  const print = () => (framedAs(shown.type, shown.view) === "md" ? printPage(frame) : printFrame(frame));
  part("print")?.addEventListener("click", () => void print());
  window.addEventListener("keydown", (event) => {
    if (event.key !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void print();
  });
}

function printFrame(frame: FrameHost): void {
  frame.element().contentWindow?.postMessage({ type: "plinth:print" }, "*");
}

async function printPage(frame: FrameHost): Promise<void> {
  const element = frame.element();
  // As wide as it will be on paper; it answers with its height, which frame.ts keeps.
  Object.assign(element.style, { width: `${paperWidth}px`, visibility: "hidden" });
  await new Promise((resolve) => setTimeout(resolve, layoutMs));
  element.style.visibility = "";
  window.addEventListener("afterprint", () => (element.style.width = ""), { once: true });
  window.print();
}
