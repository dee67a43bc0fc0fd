// The addresses that models write for an image which is not there yet, by convention: `/api/placeholder/400/300`,
// `/placeholder.svg?height=300&width=400`. In place of a broken image they are a neutral drawing of that size.

const usual = { width: 400, height: 300 };
const longest = 4000;

/** The drawing as a data URL; null for any other address. */
export function placeholderImage(address: string): string | null {
  const [, path, query = ""] = /^\s*(\/[\w./-]{1,60})(?:\?([\w=&%+.-]{0,200}))?\s*$/.exec(address) ?? [];
  if (path === undefined) return null;
  const [, ...size] = /^\/api\/placeholder\/(\d{1,5})(?:\/(\d{1,5}))?\/?$/.exec(path) ?? [];
  const [width, height = width] = size;
  if (width !== undefined) return drawing(Number(width), Number(height));
  if (!/^\/placeholder(?:-(?:logo|user))?\.(?:svg|png|jpg)$/.test(path)) return null;
  const given = (name: "width" | "height"): number =>
    Number(new RegExp(`(?:^|&)(?:${name}|${name.charAt(0)})=(\\d{1,5})(?:&|$)`).exec(query)?.[1] ?? usual[name]);
  return drawing(given("width"), given("height"));
}

/** With its own ground, as nothing tells an image whether the document's is light or dark. */
function drawing(givenWidth: number, givenHeight: number): string {
  const [width, height] = [givenWidth, givenHeight].map((side) => Math.min(Math.max(side, 1), longest)) as [
    number,
    number,
  ];
  const size = Math.round(Math.min(width / 6, height / 3, 32));
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="#e4e2dc"/><text x="50%" y="50%" fill="#6b6860" text-anchor="middle" ` +
    `dominant-baseline="central" font-family="system-ui,sans-serif" font-size="${size}">${width} × ${height}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
