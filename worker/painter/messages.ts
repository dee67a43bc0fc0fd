// Types of the messages between the worker and its browser host process (studio.ts). Plinth controls both ends.
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { Runtime } from "@plinth/runtime/manifest";
import type { DocumentToPaint } from "@plinth/domain/thumbnails/painter";

import type { PageLimits } from "./limits.ts";

/**
 * The first message to the browser host process: which browser to start, and which runtime files a document may load.
 */
export interface StudioSetting {
  /** The whole command: the sandbox, then the browser and its flags. */
  readonly command: readonly string[];
  /** The complete environment of the browser. */
  readonly environment: Readonly<Record<string, string>>;
  readonly runtime: Pick<Runtime, "path" | "files" | "directory">;
  /** The process's own directory, removed when it ends. */
  readonly directory: string;
}

export type ToStudio =
  | { readonly setting: StudioSetting }
  | { readonly paint: DocumentToPaint; readonly limits: PageLimits };

type Place = Pick<PageReport["errors"][number], "line" | "column">;

/** One message or event of the page, shortened but otherwise in its own words. */
export type Said =
  /** From the browser: an uncaught error. The position is in the document as it was served. */
  | ({ readonly of: "thrown"; readonly message: string } & Place)
  /** From the document's runtime, which knows the component and the position in the source. */
  | ({ readonly of: "told"; readonly message: string; readonly component?: string } & Place)
  /** From the policy, or because there is no network: a resource that the document wanted to load. */
  | { readonly of: "kept out"; readonly message: string }
  | ({ readonly of: "console" } & PageReport["console"][number]);

export interface Pictures {
  readonly large: Uint8Array;
  readonly small: Uint8Array;
}

export type FromStudio =
  | { readonly ready: true }
  | { readonly said: Said }
  /** `isTired`: the process cannot end something that the document left behind. */
  | { readonly painted: Pictures; readonly isTired: boolean }
  | { readonly failed: "took too long" | "crashed" }
  /** Not caused by the document. */
  | { readonly broken: string };
