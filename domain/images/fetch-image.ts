// One image of another site: fetched within the bounds, and known by its bytes.
import { isIP } from "node:net";

import { FetchError, guardedFetch, type Fetched, type FetchLimits } from "../fetching/guarded-fetch.ts";
import { isPublicAddress } from "../fetching/public-address.ts";

import { imageFormat, type ImageFormat } from "./format/image-format.ts";
import { ImageProblem } from "./problem.ts";

// Bounds of everything that a document or another site decides.
const MB = 1024 * 1024;

export const imageLimits = {
  /** Different URLs of a document that are fetched; others stay as they are. */
  images: 100,
  /** One image. */
  imageBytes: 10 * MB,
  /** Kept for one document. */
  documentBytes: 64 * MB,
  /** Of one image, so that a small file does not fill a reader's memory. */
  pixels: 50_000_000,
  /** For each image, redirects included. */
  requestMs: 10_000,
  /** After so long no further image of a document is asked for in this attempt. */
  documentMs: 60_000,
  /** Requests of a document at once, and those to one host. */
  atOnce: 2,
  atOnceOfHost: 2,
  /** A host that did not answer so often is not asked for more of the document's images in this attempt. */
  silencesOfHost: 2,
} as const;

export interface FetchedImage extends ImageFormat {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How a URL is fetched: by the guarded fetcher, but for tests, whose sites are on loopback. */
export type FetchUrl = (url: string, limits: FetchLimits) => Promise<Fetched>;

const limits: FetchLimits = {
  bytes: imageLimits.imageBytes,
  ms: imageLimits.requestMs,
  trustedOrigin: null,
  allowsHttp: true,
  accept: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8",
};

/** @throws ImageProblem */
export async function fetchImage(url: string, fetchUrl: FetchUrl = guardedFetch): Promise<FetchedImage> {
  const { host } = new URL(url);
  const { status, bytes } = await fetchUrl(url, limits).catch((error: unknown) => {
    throw problemOf(error, url);
  });
  if (status !== 200)
    throw new ImageProblem(isPassing(status) ? "unavailable" : "refused", `${host} answered with status ${status}`);
  const format = imageFormat(bytes);
  if (format === null) throw new ImageProblem("no-image", `${host} sent no image`);
  if (format.size !== null && format.size.width * format.size.height > imageLimits.pixels)
    throw new ImageProblem("too-large", `The image has more than ${imageLimits.pixels / 1e6} megapixels`);
  return { ...format, bytes: new Uint8Array(bytes) };
}

const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408;

const megabytes = imageLimits.imageBytes / 1024 / 1024;

function problemOf(error: unknown, url: string): unknown {
  if (!(error instanceof FetchError)) return error;
  const { host } = new URL(url);
  const isRefusedByItself = error.refusal === "address" && namesPrivateAddress(url);
  switch (error.refusal) {
    case "time":
    case "unreachable":
    case "address":
      return isRefusedByItself
        ? new ImageProblem("private-address", `${host} is a private address`, { cause: error })
        : new ImageProblem("no-answer", `${host} did not answer`, { cause: error });
    case "size":
      return new ImageProblem("too-large", `The image is larger than ${megabytes} MB`, { cause: error });
    case "redirects":
    case "protocol":
    case "port":
      return new ImageProblem("refused", error.message, { cause: error });
  }
}

/**
 * Of a URL with a number the author knows it. Any other name reads as one that does not exist, so that no reason tells
 * which names the instance's own network has.
 */
function namesPrivateAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !isPublicAddress(host);
}
