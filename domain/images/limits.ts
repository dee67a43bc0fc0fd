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
