// The size limit of one version.
import { AppError } from "@plinth/contract/errors";

/** Whether the text has more than so many bytes in UTF-8. */
export const isTooLarge = (text: string, limitBytes: number): boolean =>
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no counting.
  text.length * 3 > limitBytes && (text.length > limitBytes || Buffer.byteLength(text) > limitBytes);

/** @throws content_too_large */
export function requireSize(text: string, limitBytes: number): void {
  if (isTooLarge(text, limitBytes)) throw contentTooLarge(limitBytes);
}

export const contentTooLarge = (limitBytes: number): AppError =>
  new AppError("content_too_large", `The content is larger than ${limitBytes} bytes`, {
    limitBytes,
    hint: "Split it, or leave out what is embedded in it",
  });
