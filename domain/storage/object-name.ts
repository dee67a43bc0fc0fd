// The names of objects: the content's SHA-256 and a random part, so that no two puts have the same name. A purge that removes
// an object can therefore never remove the bytes of a content that is stored again at the same time.

const pattern = /^[0-9a-f]{64}-[0-9a-f]{32}$/;
const nameLength = 97;
const hashLength = 64;

/** A new name for the content (hex). */
export const newObjectName = (sha256: string): string => `${sha256}-${crypto.randomUUID().replaceAll("-", "")}`;

export const isObjectName = (text: string): boolean => pattern.test(text);

/** Hex. */
export const hashOfObject = (name: string): string => name.slice(0, hashLength);

/** What a row of `content`, named `c`, has: the bytes under zstd, or the name of the object that has them. */
export const storedContent = "coalesce(c.data, convert_to(c.object, 'UTF8'))";

/** The name, where these are no bytes of a content: zstd begins every frame with four bytes that are not of a name. */
export function objectNameIn(stored: Uint8Array): string | null {
  if (stored.length !== nameLength) return null;
  const text = Buffer.from(stored).toString("latin1");
  return isObjectName(text) ? text : null;
}
