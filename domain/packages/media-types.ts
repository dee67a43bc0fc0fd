// The types of package files that a browser loads. Files of other types are not kept.

/** What a script reads, and no browser shows. */
const binary = "application/octet-stream";

const types: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bcmap: binary,
  bin: binary,
  binarypb: binary,
  cjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  data: binary,
  eot: "application/vnd.ms-fontobject",
  geojson: "application/json",
  gif: "image/gif",
  glb: "model/gltf-binary",
  gltf: "model/gltf+json",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  mjs: "text/javascript; charset=utf-8",
  otf: "font/otf",
  pfb: binary,
  png: "image/png",
  svg: "image/svg+xml",
  task: binary,
  tflite: binary,
  topojson: "application/json",
  tsv: "text/tab-separated-values; charset=utf-8",
  ttf: "font/ttf",
  wasm: "application/wasm",
  webp: "image/webp",
  whl: binary,
  woff: "font/woff",
  woff2: "font/woff2",
  zip: "application/zip",
};

export const extensionOf = (path: string): string => /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";

/** Null for a type that is not kept. */
export function mediaTypeOf(path: string): string | null {
  const extension = extensionOf(path);
  return Object.hasOwn(types, extension) ? (types[extension] ?? null) : null;
}

export const isScriptPath = (path: string): boolean => ["js", "mjs", "cjs"].includes(extensionOf(path));
export const isStylePath = (path: string): boolean => extensionOf(path) === "css";
