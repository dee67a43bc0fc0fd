// Printing an artifact. A document of html or jsx prints itself; markdown and source may open no dialog in their
// sandbox, so there the page prints, with the frame as wide as paper and as high as the document is on it.
import { framedAs } from "@plinth/contract/frame";
import { readFrameMessage } from "@plinth/contract/frame-messages";
import type { FrameHost } from "./frame.ts";
import { part } from "#lib/parts.ts";
import { shown } from "./shown.ts";

/** What A4 and Letter have between the margins of app.css, in CSS pixels. */
const paperWidth = 656;
/** A frame that doesn't answer is printed as high as it last said. */
const answerMs = 2000;

/** Prints on the button and on the browser's own key; where the browser's menu prints, the height on screen is used. */
export function answerPrinting(frame: FrameHost): void {
  const isReading = framedAs(shown.type, shown.view) === "md";
  document.documentElement.style.setProperty("--paper-width", `${paperWidth}px`);
  const print = () => (isReading ? void printPage(frame) : tell(frame, "plinth:print"));
  part("print")?.addEventListener("click", print);
  window.addEventListener("keydown", (event) => {
    if (event.key !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    print();
  });
}

/** To any origin: a sandboxed document has none that could be named. */
function tell(frame: FrameHost, type: string, port?: MessagePort): void {
  const message = { type, width: paperWidth };
  frame.element().contentWindow?.postMessage(message, "*", port === undefined ? [] : [port]);
}

async function printPage(frame: FrameHost): Promise<void> {
  const { style } = frame.element();
  Object.assign(style, { width: `${paperWidth}px`, visibility: "hidden" });
  const height = await heightOnPaper(frame);
  if (height !== undefined) style.height = `${height}px`;
  style.visibility = "";
  const restore = () => {
    Object.assign(style, { width: "", height: "" });
    tell(frame, "plinth:printed");
  };
  window.addEventListener("afterprint", restore, { once: true });
  window.print();
}

function heightOnPaper(frame: FrameHost): Promise<number | undefined> {
  const { port1: answer, port2: theirs } = new MessageChannel();
  return new Promise((resolve) => {
    answer.addEventListener("message", ({ data }) => {
      const message = readFrameMessage(data);
      resolve(message?.type === "plinth:height" ? message.height : undefined);
      answer.close();
    });
    answer.start();
    tell(frame, "plinth:print", theirs);
    setTimeout(resolve, answerMs, undefined);
  });
}
