// Lays the document out on screen as its print style says, for as long as the page around it prints: a frame is as high
// on paper as the page makes it, and nothing can be measured in print itself.
import type { FrameMessage } from "@plinth/contract/frame-messages";

/** The frame gets its width at about the same time; no longer than this is waited for it, in ms. */
const resizeMs = 500;

interface Asked {
  type?: unknown;
  /** Of the paper, in CSS pixels. */
  width?: unknown;
}

/** Answers `plinth:print` with the height on the port that came with it, and undoes the layout on `plinth:printed`. */
export function layOutForPaper(): void {
  addEventListener("message", ({ source, data, ports: [port] }) => {
    if (source !== parent) return;
    const { type, width } = (data ?? {}) as Asked;
    if (type === "plinth:printed") printRules("print");
    if (type !== "plinth:print" || port === undefined) return;
    void resizedTo(Number(width)).then(() => {
      printRules("all");
      const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
      port.postMessage({ type: "plinth:height", height } satisfies FrameMessage);
    });
  });
}

function printRules(media: "all" | "print"): void {
  const other = media === "all" ? "print" : "all";
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule && rule.media.mediaText === other) rule.media.mediaText = media;
    }
  }
}

function resizedTo(width: number): Promise<void> {
  return new Promise((resolve) => {
    if (innerWidth === width) return resolve();
    addEventListener("resize", () => innerWidth === width && resolve());
    setTimeout(resolve, resizeMs);
  });
}
