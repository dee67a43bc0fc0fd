// A version as a browser shows it: the content of the document of each view.
import { frontMatterOf } from "@plinth/contract/front-matter";
import type { FrameView } from "@plinth/contract/frame";
import type { Database } from "@plinth/db/connection";

import { plainSource } from "../render/source/source-lines.ts";
import { textOf } from "../storage/pack.ts";
import type { FramedVersion, RenderedVersion, RenderingManner } from "./framed-version.ts";
import { documentDrawings } from "./drawings.ts";
import { htmlContent } from "./html-content.ts";
import { jsxContent } from "./jsx-content.ts";
import { filesImportedBy } from "./importable-files.ts";
import { markdownImages } from "./image-documents.ts";
import type { RendererName } from "./renderers.ts";
import { rendered, renderedSoon, type Rendered } from "./renderings.ts";

/** @throws JsxError, and busy for a screenshot */
export async function renderedContent(
  db: Database,
  framed: FramedVersion,
  view: FrameView,
  { folderUrl, ownOrigins, work, waitMs, fetchesPackages, images }: RenderingManner,
): Promise<RenderedVersion> {
  const { artifact, version, bytes, files = null } = framed;
  const { type, title } = artifact;
  const bare = bytes ?? new Uint8Array();
  const by = (name: RendererName): Promise<Rendered | null> => {
    const beside = name === "jsx" ? filesImportedBy(type, bare, version.files ?? null) : null;
    const rendering = { sha256: version.sha256, type, name, beside };
    return waitMs === null ? rendered(db, rendering, bare, work) : renderedSoon(db, rendering, bare, { work, waitMs });
  };
  if (view === "source") {
    const made = await by("source");
    const html = made?.text ?? plainSource(textOf(bare));
    return { content: { kind: "source", title, html }, isFinal: made?.whole ?? false };
  }
  if (type === "html") return htmlContent(db, framed, { work, waitMs, fetchesPackages, images });
  const made = await by(type);
  if (made === null)
    return { content: { kind: "pending", title, text: type === "md" ? readableText(bare) : "" }, isFinal: false };
  if (type === "jsx") return jsxContent(db, framed, made, fetchesPackages);
  const { isFinal, imageOf, isWaiting, ...shown } = await markdownImages(db, version, made.text, {
    images,
    ownOrigins,
  });
  const drawings = await documentDrawings(db, version.sha256, made.text);
  const drawingOf = drawings && ((key: string) => drawings.byKey[key]);
  return {
    content: { kind: "md", title, folderUrl, ownOrigins, files, html: made.text, imageOf, drawingOf, isWaiting },
    isFinal: made.whole && isFinal,
    images: shown.images,
    drawings,
  };
}

/** What a reader can read of a markdown source that is not rendered yet. */
function readableText(bytes: Uint8Array): string {
  const text = textOf(bytes).replace(/^\uFEFF/, "");
  return frontMatterOf(text)?.body ?? text;
}
