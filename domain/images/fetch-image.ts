// One image of another site: fetched within the bounds, and known by its bytes.
import { FetchError, guardedFetch, type Fetched, type FetchLimits } from "../fetching/guarded-fetch.ts";

import { imageFormat, type ImageFormat } from "./format/image-format.ts";
import { imageLimits } from "./limits.ts";
import { ImageProblem } from "./problem.ts";

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
    throw problemOf(error, host);
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

function problemOf(error: unknown, host: string): unknown {
  if (!(error instanceof FetchError)) return error;
  switch (error.refusal) {
    case "time":
    case "unreachable":
      return new ImageProblem("no-answer", `${host} did not answer`, { cause: error });
    case "address":
      return new ImageProblem("private-address", `${host} leads to a private address`, { cause: error });
    case "size":
      return new ImageProblem("too-large", `The image is larger than ${megabytes} MB`, { cause: error });
    case "redirects":
    case "protocol":
    case "port":
      return new ImageProblem("refused", error.message, { cause: error });
  }
}
