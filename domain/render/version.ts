// The version of each renderer: part of the key its results are stored under, and raised when its output changes.

export const rendererVersion = {
  md: "md-9",
  jsx: "jsx-7",
  source: "source-2",
  html: "html-5",
  css: "css-1",
  js: "js-2",
  images: "images-1",
} as const;

/** What the pieces of a markdown document are stored under: they change with its renderer. */
export const piecesVersion = rendererVersion.md.replace("md", "pieces");

/** The same of what the worker's browser draws: raised with mermaid, its settings, and what the sanitizer lets through. */
export const drawingsVersion = "diagrams-1";
