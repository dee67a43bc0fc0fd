// An html document as it was published, with kept files in place of the URLs that its locks know.
import type { Database } from "@plinth/db/connection";

import { imageEdits } from "../images/rewrite.ts";
import { urlsOf, type ImageReference } from "../images/reference.ts";
import { edited, packageEdits } from "../packages/rewrite.ts";
import type { Reference } from "../packages/reference.ts";
import { textOf } from "../storage/pack.ts";
import { askForImages, imageStatus } from "./image-documents.ts";
import { askForLock, loadsPackages, missingPackages } from "./package-documents.ts";
import type { FramedVersion, RenderedVersion, RenderingManner } from "./framed-version.ts";
import { fetching } from "./jsx-content.ts";
import { referringKind } from "./referring-files.ts";
import { rendered, renderedSoon, type Rendered } from "./renderings.ts";

export async function htmlContent(
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
