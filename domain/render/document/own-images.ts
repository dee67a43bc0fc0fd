// The images of this instance that a markdown document shows. Only addresses that serve images are kept, and few of them:
// otherwise a document could make its reader's browser send any request to the instance, a thousand times.
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";

import type { ShownImage } from "./remote-images.ts";

export const ownImageLimits = {
  /** Different ones of a document. */
  images: 100,
  /** Characters of their addresses together: they are in two response headers, and proxies bound those. */
  addresses: 12_000,
} as const;

/** Screenshots, QR codes, and kept images of other sites. */
const imagePaths =
  /^(?:\/api\/artifacts\/[\w%-]+\/thumbnail|\/[\w-]+\/[\w-]+\/[\w-]+\/qr\.svg|\/_images\/[0-9a-f]{64})$/;

/** Files beside documents that anyone may see. */
const filePaths = /^\/_content\/[pe]\/\w+\/\d{1,10}\/files(?:\/[\w.~%-]+)+$/;

/** Whether the instance serves an image at the path, by its form. */
export const isImagePath = (pathname: string): boolean =>
  imagePaths.test(pathname) || (filePaths.test(pathname) && mediaTypeOf(pathname)?.startsWith("image/") === true);

const noImage = "This instance has no image at that address";
const tooMany = `Plinth shows at most ${ownImageLimits.images} images of the instance in a document`;

export interface OwnImages {
  /** Null for a URL of another site. */
  shown(url: string): ShownImage | null;
  /** Origin and path of each that is shown, once. */
  readonly addresses: readonly string[];
}

/** Collects the images of a document; the origins are those of the app and of the content. */
export function collectOwnImages(origins: ReadonlySet<string>): OwnImages {
  const shown = new Set<string>();
  const addresses = new Set<string>();
  let length = 0;
  return {
    shown(text) {
      const url = URL.parse(text);
      if (url === null || !origins.has(url.origin)) return null;
      if (url.username + url.password !== "" || !isImagePath(url.pathname)) return { missing: noImage };
      const { hash, href } = url;
      const image = href.slice(0, href.length - hash.length);
      if (!shown.has(image)) {
        const address = url.origin + url.pathname;
        const more = addresses.has(address) ? 0 : address.length;
        if (shown.size === ownImageLimits.images || length + more > ownImageLimits.addresses)
          return { missing: tooMany };
        shown.add(image);
        addresses.add(address);
        length += more;
      }
      return { address: href, size: null };
    },
    get addresses() {
      return [...addresses];
    },
  };
}
