// Which addresses belong to the API rather than to the web app, for whoever stands before both.

const prefixes = [
  "/api",
  "/mcp",
  "/metrics",
  "/.well-known",
  "/_content",
  "/_runtime",
  "/docs",
  "/llms.txt",
  "/SKILL.md",
];

export function isApiPath(pathname: string): boolean {
  return prefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}
