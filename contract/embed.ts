// Embeds a public artifact in other sites: the URL of its embed page, and the HTML that shows it.

/** The size of an embedded artifact by default, in CSS pixels. */
export const embedSize = { width: 800, height: 600 } as const;

/** The address of the embed page, from the address of the artifact's page; with its version where that names one. */
export function embedUrl(artifactUrl: string): string {
  const { origin, pathname, search } = new URL(artifactUrl);
  return `${origin}/embed${pathname}${search}`;
}

/** The address of the oEmbed answer about an artifact, from the address of its page. */
export function oembedUrl(artifactUrl: string): string {
  return `${new URL(artifactUrl).origin}/api/oembed?${new URLSearchParams({ url: artifactUrl, format: "json" })}`;
}

/** The frame to paste into a page; `url` is the address of the artifact's page. */
export function embedCode({
  url,
  title,
  width = embedSize.width,
  height = embedSize.height,
}: {
  readonly url: string;
  readonly title: string;
  readonly width?: number;
  readonly height?: number;
}): string {
  const frame = { src: embedUrl(url), title, width, height, loading: "lazy", style: "border:0;max-width:100%" };
  const attributes = Object.entries(frame).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return `<iframe ${attributes.join(" ")}></iframe>`;
}

const characters: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => characters[character] ?? "");
