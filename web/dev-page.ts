// The changes that `bun run dev` makes to a page: scripts and styles come from Vite, so the policy allows them, and a
// page without SvelteKit's client reloads when its modules change.

/** Of app.html's own script. */
const firstNonce = /<script nonce="([A-Za-z0-9+/=]+)">/;
/** Built, these scripts stand alone; Vite serves modules. */
const moduleScript = /<script (?=src="[^"]*worker_file)/g;
/** How SvelteKit starts its client in a page. */
const clientStart = "kit.start(";

/** A page's HTML as Vite needs it. */
export function devPage(html: string): string {
  const page = html.replace(moduleScript, '<script type="module" ');
  const nonce = firstNonce.exec(html)?.[1];
  if (nonce === undefined || html.includes(clientStart)) return page;
  const script = `import { createHotContext } from "/@vite/client";
createHotContext("/page").on("vite:beforeUpdate", () => location.reload());`;
  return page.replace("</body>", `<script type="module" nonce="${nonce}">${script}</script></body>`);
}

/**
 * A page's policy with what Vite adds: scripts outside `/_app/immutable/`, style elements, and the WebSocket of hot reload,
 * which not every browser counts as `'self'`.
 */
export function devPolicy(policy: string, publicUrl: string): string {
  return policy
    .replace(`script-src ${publicUrl}/_app/immutable/`, "script-src 'self'")
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ${publicUrl.replace(/^http/, "ws")}`);
}
