// How large one version may be.
import { AppError } from "@plinth/contract/errors";

/** @throws content_too_large where the text is more than so many bytes of UTF-8 */
export function requireSize(text: string, limitBytes: number): void {
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no counting.
  if (text.length * 3 <= limitBytes) return;
  if (text.length > limitBytes || Buffer.byteLength(text) > limitBytes) throw contentTooLarge(limitBytes);
}

export const contentTooLarge = (limitBytes: number): AppError =>
  new AppError("content_too_large", `The content is larger than ${limitBytes} bytes`, {
    limitBytes,
    hint: "Split it, or leave out what is embedded in it",
  });
