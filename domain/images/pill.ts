// The image that stands for one that is missing: its text in a small pill. An image, so that the document's elements,
// styles and scripts stay as they are.

const height = 20;
/** Of a character at this size, on average. */
const characterWidth = 6.2;
const padding = 8;
const lengthMax = 60;

/** As a data URL. With its own ground, because nothing tells it whether the document's is light or dark. */
export function pillImage(text: string): string {
  const shown = text.length > lengthMax ? `${text.slice(0, lengthMax - 1).trimEnd()}…` : text;
  const width = Math.ceil([...shown].length * characterWidth) + 2 * padding;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMinYMid meet"><style>rect{fill:#f2f2f1;stroke:#c9c7c1}text{fill:#54524d;font:500 11px system-ui,sans-serif}</style><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9.5"/><text x="50%" y="14" text-anchor="middle">${escaped(shown)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** For an image whose text is empty: its author calls it decoration. */
export const noImage = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')}`;

/** XML has no control characters, and no half of a pair. */
const escaped = (text: string): string =>
  [...text.toWellFormed()]
    .map((character) => (character < " " || character >= "\uFFFE" ? " " : character))
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
