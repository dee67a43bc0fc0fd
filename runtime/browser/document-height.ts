// Tells the page around the frame how high the document is, whenever that changes: for printing all of it.
import { tellPage } from "./links.ts";

export function reportHeight(): void {
  if (parent === window) return;
  const root = document.documentElement;
  let last = 0;
  const observer = new ResizeObserver(() => {
    // The contents of a body as high as the window reach beyond it.
    const height = Math.ceil(Math.max(root.getBoundingClientRect().height, document.body?.scrollHeight ?? 0));
    if (height === last || height <= 0) return;
    last = height;
    tellPage({ type: "plinth:height", height });
  });
  observer.observe(root);
  addEventListener("load", () => {
    for (const element of document.body?.children ?? []) observer.observe(element);
  });
}
