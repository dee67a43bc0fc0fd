// Why an image of a document is not there.

export type ImageProblemCode =
  | "no-answer"
  | "private-address"
  | "refused"
  | "unavailable"
  | "no-image"
  | "too-large"
  | "too-many"
  | "own-image";

/** What another attempt may change: the other site's state, and not the document's or the image's. */
const passing = new Set<ImageProblemCode>(["no-answer", "unavailable"]);

export class ImageProblem extends Error {
  override readonly name = "ImageProblem";
  constructor(
    readonly code: ImageProblemCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** For an image that was not asked for, because the time of this attempt was over. */
export const tooLate = (): ImageProblem => new ImageProblem("unavailable", "The images before it took too long");

export const mayPass = (code: ImageProblemCode): boolean => passing.has(code);
