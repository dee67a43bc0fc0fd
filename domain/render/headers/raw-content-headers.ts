// The headers of the raw source route: the bytes as they are, in a response that can run nothing.
import type { FramedType } from "@plinth/contract/frame";

import { inertHeaders } from "./inert-headers.ts";

// Never a JavaScript type for jsx: a script element of any page could otherwise run it.
const CONTENT_TYPES: Record<FramedType, string> = {
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  jsx: "text/plain; charset=utf-8",
};

/** The headers of raw source but for caching and identity; `fileName` may be any text. */
export const rawContentHeaders = (type: FramedType, fileName: string): Record<string, string> =>
  inertHeaders(CONTENT_TYPES[type], fileName);
