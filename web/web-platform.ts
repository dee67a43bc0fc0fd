// The instance that pages are served from, as they see it.
import type { Read } from "@plinth/contract/client";

import type { ShownSite } from "./site.ts";

/** What pages know of the instance they are served from (`event.platform`). */
export interface WebPlatform {
  /** The API: in the same process, or a fetch to where it runs. */
  api: (request: Request) => Promise<Response>;
  /** What pages read by, where it is not by requests to the API. */
  read?: Read | undefined;
  /** The instance's public origin, without a trailing slash. */
  publicUrl: string;
  /** The origin that user content is framed from; the public origin where there is no other. */
  contentOrigin: string;
  /** Where people pay: the origins that a form of the billing page may lead to. */
  paymentOrigins: readonly string[];
  /** Bytes of UTF-8 that a version may have. */
  maxContentBytes: number;
  version: string;
  /** Empty where the operator gave it no name, logo or paragraph. */
  site: ShownSite;
  /** Called with the pattern of the route that answers. */
  matched(route: string): void;
}
