// html2canvas' function over html-to-image: the original draws a copy of the page in a separate frame, which a sandboxed
// document cannot read. Options that only that copy has, such as `onclone`, have no effect.
import { toCanvas } from "html-to-image";

export interface Html2CanvasOptions {
  /** Null is transparent. */
  backgroundColor?: string | null;
  /** Drawn on, rather than a new one. */
  canvas?: HTMLCanvasElement;
  ignoreElements?: (element: Element) => boolean;
  scale?: number;
  width?: number;
  height?: number;
}

export default async function html2canvas(
  element: HTMLElement,
  { backgroundColor = "#ffffff", canvas, ignoreElements, scale, width, height }: Html2CanvasOptions = {},
): Promise<HTMLCanvasElement> {
  const size = scale ?? window.devicePixelRatio;
  // A canvas that is given may be one of jspdf's pages, where an image keeps its own resolution.
  const pixelRatio = canvas ? Math.max(size, 2) : size;
  const drawn = await toCanvas(element, {
    filter: (node) =>
      !(node instanceof Element && (node.hasAttribute("data-html2canvas-ignore") || ignoreElements?.(node))),
    pixelRatio,
    skipFonts: true,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  });
  if (backgroundColor !== null) fillBehind(drawn, backgroundColor);
  if (!canvas) return drawn;
  const shown = size / pixelRatio;
  canvas.getContext("2d")?.drawImage(drawn, 0, 0, drawn.width * shown, drawn.height * shown);
  return canvas;
}

/** The option of html-to-image would take the place of the element's own background. */
function fillBehind(canvas: HTMLCanvasElement, color: string): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = color;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = "source-over";
}
