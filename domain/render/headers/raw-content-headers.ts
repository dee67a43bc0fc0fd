// The headers of the raw source route: the bytes as they are, in a response that can run nothing.
import type { FramedType } from "@plinth/contract/frame";

// Never a JavaScript type for jsx: a script element of any page could otherwise run it.
const CONTENT_TYPES: Record<FramedType, string> = {
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  jsx: "text/plain; charset=utf-8",
};

/** The headers of raw source but for caching and identity; `fileName` may be any text. */
export function rawContentHeaders(type: FramedType, fileName: string): Record<string, string> {
  return {
    "content-type": CONTENT_TYPES[type],
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
