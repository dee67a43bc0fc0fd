// The version of each renderer: part of the key its results are stored under, and raised when its output changes.

export const rendererVersion = {
  md: "md-6",
  jsx: "jsx-5",
  source: "source-1",
  html: "html-3",
  images: "images-1",
} as const;
