// Tells the page around the frame how high the document is, whenever that changes: for printing all of it.
import type { FrameMessage } from "@plinth/contract/frame-messages";

export function reportHeight(): void {
  if (window.parent === window) return;
  const root = document.documentElement;
  let last = 0;
  const observer = new ResizeObserver(() => {
    // The contents of a body as high as the window reach beyond it.
    const height = Math.ceil(Math.max(root.getBoundingClientRect().height, document.body?.scrollHeight ?? 0));
    if (height === last || height <= 0) return;
    last = height;
    // To any origin: the response's frame-ancestors limits which pages can frame it, and a height is no secret.
    window.parent.postMessage({ type: "plinth:height", height } satisfies FrameMessage, "*");
  });
  observer.observe(root);
  window.addEventListener("load", () => {
    for (const element of document.body?.children ?? []) observer.observe(element);
  });
}
