// What the worker and its studio (studio.ts) tell each other, as types alone. Both ends are ours.
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { Runtime } from "@plinth/domain/render/manifest";
import type { DocumentToPaint } from "@plinth/domain/thumbnails/painter";

import type { PageLimits } from "./limits.ts";

/** What a studio is told first: which browser to start, and whose files a document may load. */
export interface StudioSetting {
  /** The whole command: what confines the browser, then the browser and its flags. */
  readonly command: readonly string[];
  /** All that the browser gets of an environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly runtime: Pick<Runtime, "path" | "files" | "directory">;
  /** The studio's own, removed when it ends. */
  readonly directory: string;
}

export type ToStudio =
  | { readonly setting: StudioSetting }
  | { readonly paint: DocumentToPaint; readonly limits: PageLimits };

type Place = Pick<PageReport["errors"][number], "line" | "column">;

/** One thing that the page said or did, cut short but else in its own words. */
export type Said =
  /** By the browser: thrown and caught by nobody; the place is one of the document as it was served. */
  | ({ readonly of: "thrown"; readonly message: string } & Place)
  /** By the document's own runtime, which knows the component and the place in the source. */
  | ({ readonly of: "told"; readonly message: string; readonly component?: string } & Place)
  /** By the policy, or because there is no network: what the document wanted to load. */
  | { readonly of: "kept out"; readonly message: string }
  | ({ readonly of: "console" } & PageReport["console"][number]);

export interface Pictures {
  readonly large: Uint8Array;
  readonly small: Uint8Array;
}

export type FromStudio =
  | { readonly ready: true }
  | { readonly said: Said }
  /** A tired studio has something left of the document that it can't end by itself. */
  | { readonly painted: Pictures; readonly isTired: boolean }
  | { readonly failed: "took too long" | "crashed" }
  /** Not the document's fault. */
  | { readonly broken: string };
