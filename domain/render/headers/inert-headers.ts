// Headers for user-provided bytes, in a response that cannot run or load anything in any context.

/** But for caching and identity; `fileName` may be any text. */
export function inertHeaders(contentType: string, fileName: string): Record<string, string> {
  return {
    "content-type": contentType,
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    // A page connects ahead of need to wherever its links say, in which the policy has no say.
    "connection-allowlist": "();webrtc=block",
    "x-dns-prefetch-control": "off",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-disposition": `inline; filename*=UTF-8''${extendedValue(fileName)}`,
  };
}

// RFC 8187 3.2.1: percent-encoded UTF-8, these characters as they are.
function extendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
