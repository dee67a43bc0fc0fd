// The types of package files that a browser loads. Files of other types are not kept.

const types: Readonly<Record<string, string>> = {
  avif: "image/avif",
  cjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  eot: "application/vnd.ms-fontobject",
  gif: "image/gif",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  mjs: "text/javascript; charset=utf-8",
  otf: "font/otf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  wasm: "application/wasm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
};

export const extensionOf = (path: string): string => /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";

/** Null for a type that is not kept. */
export function mediaTypeOf(path: string): string | null {
  const extension = extensionOf(path);
  return Object.hasOwn(types, extension) ? (types[extension] ?? null) : null;
}

export const isScriptPath = (path: string): boolean => ["js", "mjs", "cjs"].includes(extensionOf(path));
export const isStylePath = (path: string): boolean => extensionOf(path) === "css";
