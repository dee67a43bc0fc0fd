// The images of other sites in a draft: each is its text in a pill, because they are fetched after publishing.
import { imageEdits } from "../images/rewrite.ts";
import type { ImageReference } from "../images/reference.ts";
import { edited } from "../packages/rewrite.ts";
import type { Work } from "../threads/fair-queue.ts";
import { imagesOf } from "../threads/images.ts";
import { imageStatus, shownImages } from "./image-documents.ts";

export const draftImages = shownImages(null, imageStatus.draft);

/** Most documents have none, and a draft is drawn often. */
const mayShow = (html: string): boolean => /<(?:img|input)\b/i.test(html) && html.includes("//");

/** @throws busy */
export async function draftHtml(html: string, work: Work): Promise<string> {
  const images: readonly ImageReference[] = mayShow(html) ? (await imagesOf(html, work)).images : [];
  return edited(html, imageEdits(html, images, { lock: null, status: imageStatus.draft }));
}
