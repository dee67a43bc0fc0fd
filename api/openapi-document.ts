// The description of the API as an instance serves it: written and compressed once, with an ETag.
import { openApi } from "@plinth/contract/openapi";
import { codingOf } from "@plinth/platform/accept-encoding";

import { fresh, sized } from "./respond.ts";

/** Answers requests for the description. */
export function openApiDocument(about: Parameters<typeof openApi>[0]): (request: Request) => Response {
  const plain = new TextEncoder().encode(JSON.stringify(openApi(about)));
  const compressed = Bun.gzipSync(plain);
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
    // Weak, because both forms have it.
    etag: `W/"${Bun.hash.xxHash64(plain).toString(36)}"`,
  };
  return (request) => {
    const unchanged = fresh(request, headers);
    if (unchanged !== null) return unchanged;
    const isCompressed = codingOf(request.headers.get("accept-encoding"), ["gzip"]) !== null;
    return isCompressed ? sized(compressed, { ...headers, "content-encoding": "gzip" }) : sized(plain, headers);
  };
}
