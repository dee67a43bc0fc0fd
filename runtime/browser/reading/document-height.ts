// Tells the page around the frame how high the document is, whenever that changes: for printing all of it.
import type { FrameMessage } from "@plinth/contract/frame-messages";

export function reportHeight(): void {
  if (window.parent === window) return;
  const root = document.documentElement;
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height === last || height <= 0) return;
    last = height;
    // To any origin: the response's frame-ancestors limits which pages can frame it, and a height is no secret.
    window.parent.postMessage({ type: "plinth:height", height } satisfies FrameMessage, "*");
  }).observe(root);
}
