// What a file of the runtime is given out with, to documents of opaque origins too (docs/reference/security.md §1). How
// long it may be kept is up to who gives it out.

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
};

export const runtimeFileHeaders = (name: string): Record<string, string> => ({
  "content-type": types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
});
