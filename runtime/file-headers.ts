// Response headers of a runtime file, for documents of opaque origins too (docs/reference/security.md §1). The server
// of the file decides how long it can be cached.

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
