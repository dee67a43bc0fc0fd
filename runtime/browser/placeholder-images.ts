// Draws the images that models leave out (contract/publishing/placeholder-images.ts), which the policy refuses to load.
import { placeholderImage } from "@plinth/contract/publishing/placeholder-images";

export function drawPlaceholders(): void {
  window.addEventListener(
    "error",
    (event) => {
      const image = event.target;
      const drawing = image instanceof HTMLImageElement ? placeholderImage(image.getAttribute("src") ?? "") : null;
      if (!(image instanceof HTMLImageElement) || drawing === null) return;
      // To the document it has loaded.
      event.stopImmediatePropagation();
      image.src = drawing;
    },
    true, // an image's own error does not bubble
  );
}

/** Whether what was blocked is one of these, and is drawn. */
export function isPlaceholder(blocked: string): boolean {
  const url = URL.parse(blocked);
  return url !== null && url.host === location.host && placeholderImage(url.pathname + url.search) !== null;
}
