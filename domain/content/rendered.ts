// A version as a browser shows it: the content of the document of each view.
import { frontMatterOf } from "@plinth/contract/front-matter";
import type { FrameView } from "@plinth/contract/frame";
import type { Database } from "@plinth/db/connection";

import type { ArtifactRow } from "../access/resource.ts";
import type { Content } from "../render/document/content.ts";
import type { CompiledJsx } from "../render/jsx/compiler.ts";
import { plainSource } from "../render/source/source-lines.ts";
import { textOf } from "../storage/pack.ts";
import type { Work } from "../threads/fair-queue.ts";
import { htmlContent } from "./html-content.ts";
import { markdownImages, type ImageManner, type VersionImages } from "./image-documents.ts";
import type { LockedVersion, VersionLock } from "./package-documents.ts";
import type { RendererName } from "./renderers.ts";
import { rendered, renderedSoon, type Rendered } from "./renderings.ts";

/** A version, with all that its document is made of. */
export interface FramedVersion {
  readonly artifact: Pick<ArtifactRow, "type" | "title" | "workspaceId" | "ownerUsername" | "projectSlug">;
  readonly version: LockedVersion;
  readonly bytes: Uint8Array | null;
  /** Of an html version; null where there is none yet, missing where its packages are left alone. */
  readonly lock?: VersionLock | null;
  /** The same of its images. */
  readonly images?: VersionImages | null | undefined;
}

export interface RenderedVersion {
  readonly content: Content;
  /** Whether it stays like this for as long as renderers and runtime do; else no cache may keep it. */
  readonly isFinal: boolean;
  /** Missing where it shows no images of other sites, null where they have no lock. */
  readonly images?: VersionImages | null | undefined;
}

/** How a version is rendered. */
export interface RenderingManner {
  /** Absolute, ends in a slash. */
  readonly projectUrl: string;
  readonly work: Work;
  /**
   * How long a reader waits before they are shown the text while it is still being rendered, in ms. Null for a
   * screenshot, which waits until it is rendered.
   */
  readonly waitMs: number | null;
  /** Whether a lock that is missing is being made: the document then waits for it. */
  readonly fetchesPackages: boolean;
  readonly images: ImageManner;
}

/** @throws JsxError, and busy for a screenshot */
export async function renderedContent(
  db: Database,
  framed: FramedVersion,
  view: FrameView,
  { projectUrl, work, waitMs, fetchesPackages, images }: RenderingManner,
): Promise<RenderedVersion> {
  const { artifact, version, bytes } = framed;
  const { type, title } = artifact;
  const bare = bytes ?? new Uint8Array();
  const by = (name: RendererName): Promise<Rendered | null> => {
    const rendering = { sha256: version.sha256, type, name };
    return waitMs === null ? rendered(db, rendering, bare, work) : renderedSoon(db, rendering, bare, { work, waitMs });
  };
  if (view === "source") {
    const made = await by("source");
    return (
      final(made, ({ text }) => ({ kind: "source", title, html: text })) ?? {
        content: { kind: "source", title, html: plainSource(textOf(bare)) },
        isFinal: false,
      }
    );
  }
  if (type === "html") return htmlContent(db, framed, { work, waitMs, fetchesPackages, images });
  const made = await by(type);
  if (made === null)
    return { content: { kind: "pending", title, text: type === "md" ? readableText(bare) : "" }, isFinal: false };
  if (type === "jsx")
    return { content: { kind: "jsx", title, compiled: JSON.parse(made.text) as CompiledJsx }, isFinal: made.whole };
  const { isFinal, imageOf, isWaiting, ...shown } = await markdownImages(db, version, made.text, images);
  return {
    content: { kind: "md", title, projectUrl, html: made.text, imageOf, isWaiting },
    isFinal: made.whole && isFinal,
    images: shown.images,
  };
}

const final = (made: Rendered | null, contentOf: (made: Rendered) => Content): RenderedVersion | null =>
  made === null ? null : { content: contentOf(made), isFinal: made.whole };

/** What a reader can read of a markdown source that is not rendered yet. */
function readableText(bytes: Uint8Array): string {
  const text = textOf(bytes).replace(/^\uFEFF/, "");
  return frontMatterOf(text)?.body ?? text;
}
