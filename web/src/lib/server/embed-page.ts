// The embed page: what other sites frame. A sandboxed frame with the document and one line, and nothing of the app. It has
// an opaque origin (`sandbox`), and its policy names no ancestors, because any page may be around it
// (docs/reference/security.md, "Embedding").
import { embedUrl } from "@plinth/contract/embed";
import { frameAttributes, type FramedType } from "@plinth/contract/frame";
import { encodedPath } from "@plinth/contract/publishing/file-path";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import source from "../../embed/embed-script.ts?raw";
import { embedTexts } from "#messages/embed.ts";
import { currentLanguage } from "#messages/language.ts";
import { deniedPermissions } from "./page-headers.ts";

const style = `
:root { color-scheme: light dark; font: 12px/16px system-ui, sans-serif; color: light-dark(#5f5b52, #aba69b); background: light-dark(#faf9f6, #131210); }
body { margin: 0; height: 100dvh; display: flex; flex-direction: column; }
main { flex: 1; min-height: 0; display: flex; }
main p { margin: auto; padding: 16px; font-size: 14px; line-height: 20px; text-align: center; }
h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
iframe { flex: 1; min-width: 0; border: 0; }
iframe:not([data-type="md"]) { background: light-dark(#fff, transparent); }
footer { flex: none; border-top: 1px solid light-dark(#e2dfd7, #2c2a26); }
a { display: flex; padding: 8px 12px; color: inherit; text-decoration: none; white-space: nowrap; }
a:hover, #opens[href] { text-decoration: underline; }
a:focus-visible { outline: 2px solid light-dark(#b93815, #ff8a5c); outline-offset: -2px; }
bdi { overflow: hidden; text-overflow: ellipsis; color: light-dark(#1b1a17, #efede7); }
span { flex: none; white-space: pre; }
#opens { display: block; color: light-dark(#b93815, #ff8a5c); white-space: normal; overflow-wrap: anywhere; max-height: 48px; overflow-y: auto; }
#opens:empty { display: none; }
`;

/** Without types, comments and spaces. */
const script = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true }).transformSync(source).trim();

const hashOf = (text: string): string => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;

/** What the frame needs, and the line's link: it opens the artifact's page in another tab, outside this sandbox. */
const sandbox = "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox";

const policyOf = (sources: string): string =>
  `sandbox ${sandbox}; default-src 'none'; style-src ${hashOf(style)}; ${sources}base-uri 'none'; form-action 'none'`;

/** Every answer's headers, but for caching. */
const headersWith = (policy: string) => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": deniedPermissions,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "Accept-Language",
});

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="${currentLanguage()}"><head><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">${head}` +
  `<style>${style}</style></head><body>${body}</body></html>`;

/** The page of a version, and its headers. */
export function embedPage(
  artifact: Pick<Artifact, "artifactId" | "title" | "type" | "url" | "slug" | "sourcePath">,
  version: number,
  { url, contentOrigin }: { readonly url: string; readonly contentOrigin: string },
) {
  const title = Bun.escapeHTML(artifact.title);
  const { host } = new URL(artifact.url);
  const base = `${artifact.url.slice(0, -artifact.slug.length)}${encodedPath(artifact.sourcePath ?? artifact.slug)}`;
  const content = `${contentOrigin}/_content/e/`;
  const frame = frameOf(artifact.type, { src: `${content}${artifact.artifactId}/${version}`, title, base });
  const link = `<a href="${Bun.escapeHTML(url)}" target="_blank" rel="noopener">`;
  const line = `${link}<bdi>${title}</bdi><span> · ${Bun.escapeHTML(embedTexts().onInstance({ host }))}</span></a>`;
  const opens = '<a id="opens" target="_blank" rel="noopener noreferrer"></a>';
  return {
    html: page(
      `<title>${title} · ${host}</title><link rel="canonical" href="${artifact.url}">`,
      `<main><h1>${title}</h1>${frame}</main><footer>${opens}${line}</footer><script>${script}</script>`,
    ),
    headers: {
      ...headersWith(policyOf(`script-src ${hashOf(script)}; frame-src ${content}; `)),
      "cache-control": "public, no-cache",
    },
  };
}

function frameOf(type: FramedType, { src, title, base }: Readonly<Record<"src" | "title" | "base", string>>): string {
  // A press on another site could be stolen, so nothing that one gives is given here.
  const { sandbox: tokens, referrerpolicy } = frameAttributes(type);
  const own = `sandbox="${tokens}" allow="" referrerpolicy="${referrerpolicy}"`;
  return `<iframe src="${src}" title="${title}" data-type="${type}" data-base="${Bun.escapeHTML(base)}" ${own}></iframe>`;
}

/** In place of a document that not everyone may see, or that is not there: the same bytes. */
export function embedRefusal(status: number, requestId: string): Response {
  const texts = embedTexts();
  const words = status === 404 ? texts.notAvailable : texts.tryAgain;
  return new Response(page(`<title>${words}</title>`, `<main><p>${words}</p></main>`), {
    status,
    headers: { ...headersWith(policyOf("")), "cache-control": "no-store", "x-request-id": requestId },
  });
}

/** Leads to the embed page of the present address. */
export const embedMoved = (artifactUrl: string, requestId: string): Response =>
  new Response(null, {
    status: 308,
    headers: {
      location: embedUrl(artifactUrl),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    },
  });
