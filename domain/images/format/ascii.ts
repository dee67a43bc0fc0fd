// Names in the headers of images.

/** Whether the text stands there. */
export function hasText(bytes: DataView, at: number, text: string): boolean {
  if (at + text.length > bytes.byteLength) return false;
  for (let index = 0; index < text.length; index++)
    if (bytes.getUint8(at + index) !== text.charCodeAt(index)) return false;
  return true;
}
