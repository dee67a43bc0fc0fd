// SHA-256 in the browser, which hashes only on pages of https or of this computer.

/** In hexadecimal. @throws TypeError where `isSecureContext` is false */
export async function sha256Of(data: BufferSource): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
