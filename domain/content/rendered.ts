// A version as a browser shows it: the content of the document of each view.
import { frontMatterOf } from "@plinth/contract/front-matter";
import type { FrameView } from "@plinth/contract/frame";
import type { Database } from "@plinth/db/connection";

import { plainSource } from "../render/source/source-lines.ts";
import { textOf } from "../storage/pack.ts";
import type { FramedVersion, RenderedVersion, RenderingManner } from "./framed-version.ts";
import { documentDrawings } from "./drawings.ts";
import { filesImportedBy } from "./importable-files.ts";
import { askForImages, imageStatus, markdownImages } from "./image-documents.ts";
import type { RendererName } from "./renderers.ts";
import { rendered, type Rendered, renderedSoon } from "./renderings.ts";
import { imageEdits } from "../images/rewrite.ts";
import { type ImageReference, urlsOf } from "../images/reference.ts";
import { edited, packageEdits } from "../packages/rewrite.ts";
import type { Reference } from "../packages/reference.ts";
import {
  askForLock,
  loadedPackages,
  loadsPackages,
  missingPackages,
  rememberWithoutPackages,
} from "./package-documents.ts";
import { referringKind } from "./referring-files.ts";
import { jsxReferences } from "../packages/find/jsx-references.ts";
import { compiledJsx } from "./compiled-jsx.ts";

/** The compiled document, with kept modules for the packages that it imports. */
async function jsxContent(
  db: Database,
  { artifact: { title }, version, lock, files = null }: FramedVersion,
  { text, whole }: Rendered,
  fetchesPackages: boolean,
): Promise<RenderedVersion> {
  const compiled = compiledJsx(text);
  const content = { kind: "jsx", title, compiled, files } as const;
  if (compiled.packages.length === 0) {
    rememberWithoutPackages(version);
    return { content, isFinal: whole };
  }
  if (lock === undefined || lock === null) {
    if (lock === undefined || !fetchesPackages) return { content, isFinal: false };
    await askForLock(db, version);
    return fetching(title, missingPackages(jsxReferences(compiled.packages)));
  }
  return { content: { ...content, loaded: loadedPackages(lock) }, isFinal: whole && lock.isComplete };
}

/** Shown until the packages are there. */
const fetching = (title: string, packages: number): RenderedVersion => ({
  content: {
    kind: "pending",
    title,
    text: "",
    status: packages === 1 ? "Fetching a package" : `Fetching ${packages} packages`,
  },
  isFinal: false,
});

async function htmlContent(
  db: Database,
  { artifact: { title }, version, bytes, lock, images, files = null }: FramedVersion,
  { work, waitMs, fetchesPackages, images: manner }: Omit<RenderingManner, "folderUrl" | "ownOrigins">,
): Promise<RenderedVersion> {
  const content = bytes ?? new Uint8Array();
  const source = textOf(content);
  const hasPackages = lock === null ? fetchesPackages : loadsPackages(lock ?? null);
  const isOfLock = images === null ? manner === "fetched" : images !== undefined && images.entries.length > 0;
  const hasImages = manner !== "none" && isOfLock;
  if (lock === undefined || !(hasPackages || hasImages)) {
    const isFinal = lock?.isComplete !== false && images?.isComplete !== false;
    return { content: { kind: "html", source, files }, isFinal, images };
  }
  const placesBy = (name: "html" | "images"): Promise<Rendered | null> => {
    const rendering = { sha256: version.sha256, type: "html", name } as const;
    return waitMs === null
      ? rendered(db, rendering, content, work)
      : renderedSoon(db, rendering, content, { work, waitMs });
  };
  const pending = (status: string): RenderedVersion => ({
    content: { kind: "pending", title, text: "", status },
    isFinal: false,
  });
  const nothing = { text: "[]", whole: true };
  const [packagesMade, imagesMade] = await Promise.all([
    hasPackages ? placesBy("html") : nothing,
    hasImages ? placesBy("images") : nothing,
  ]);
  if (packagesMade === null || imagesMade === null) return pending("Still rendering");
  const references = JSON.parse(packagesMade.text) as Reference[];
  const shown = JSON.parse(imagesMade.text) as ImageReference[];

  const inFiles = files === null ? 0 : Number([...files.paths].some((path) => referringKind(path) !== null));
  const missing = lock === null ? Math.max(missingPackages(references), inFiles) : 0;
  if (missing > 0) {
    await askForLock(db, version);
    return fetching(title, missing);
  }
  const missingImages = images === null ? urlsOf(shown).length : 0;
  if (missingImages > 0 && (await askForImages(db, version)))
    return pending(missingImages === 1 ? "Fetching an image" : `Fetching ${missingImages} images`);

  const packages = lock ? packageEdits(source, references, lock) : [];
  const rewriting = { lock: images ?? null, status: imageStatus.waiting };
  const isFinal =
    (lock?.isComplete ?? packagesMade.whole) && missingImages === 0 && (images?.isComplete ?? imagesMade.whole);
  return {
    content: { kind: "html", files, source: edited(source, [...packages, ...imageEdits(source, shown, rewriting)]) },
    isFinal,
    images,
  };
}

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
    content: {
      kind: "md",
      title,
      folderUrl,
      ownOrigins,
      files,
      html: made.text,
      imageOf,
      drawingOf,
      isWaiting: isWaiting || made.isPartial === true,
    },
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
