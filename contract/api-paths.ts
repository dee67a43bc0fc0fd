// Tells a proxy that serves both which paths belong to the API and which to the web app.

const prefixes = [
  "/api",
  "/mcp",
  "/metrics",
  "/.well-known",
  "/_cli",
  "/_content",
  "/_images",
  "/_packages",
  "/_runtime",
  "/docs/reference",
  "/llms.txt",
  "/SKILL.md",
  "/AGENTS.md",
  "/install.sh",
  "/cli.tgz",
];

/** The page of the modules that jsx can import. */
export const modulesPath = "/docs/jsx";

export function isApiPath(pathname: string): boolean {
  return prefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}
