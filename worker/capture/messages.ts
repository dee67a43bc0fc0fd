// Types of the messages between the worker and its browser host process (browser-host.ts). Plinth controls both ends.
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { Runtime } from "@plinth/runtime/manifest";
import type { MadeDrawing } from "@plinth/domain/render/diagrams/drawing";
import type { DocumentToCapture } from "@plinth/domain/thumbnails/renderer";

import type { PageLimits } from "./limits.ts";

/**
 * The first message to the browser host process: which browser to start, and which runtime files a document may load.
 */
export interface BrowserHostSettings {
  /** The whole command: the sandbox, then the browser and its flags. */
  readonly command: readonly string[];
  /** The complete environment of the browser. */
  readonly environment: Readonly<Record<string, string>>;
  readonly runtime: Pick<Runtime, "path" | "files" | "directory">;
  /** The process's own directory, removed when it ends. */
  readonly directory: string;
}

export type HostRequest =
  | { readonly settings: BrowserHostSettings }
  | { readonly capture: DocumentToCapture; readonly limits: PageLimits }
  | { readonly draw: DiagramsToDraw; readonly limits: PageLimits }
  | PackageFileAnswer;

export interface DiagramsToDraw {
  readonly page: DocumentToCapture;
  readonly sources: readonly string[];
}

/** A drawing, before the answer, by the place of its source. */
export interface DrawnMessage {
  readonly drawn: { readonly index: number; readonly drawing: MadeDrawing };
}

/** The answer to `wantedFile`; null where the document's packages have no such file. */
export interface PackageFileAnswer {
  readonly wanted: number;
  readonly file: { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> } | null;
}

type Place = Pick<PageReport["errors"][number], "line" | "column">;

/** One message or event of the page, shortened but otherwise in its own words. */
export type PageMessage =
  /** From the browser. The position is in the document as it was served. */
  | ({ readonly kind: "uncaught error"; readonly message: string } & Place)
  /** From the document's runtime, which knows the component and the position in the source. */
  | ({ readonly kind: "runtime error"; readonly message: string; readonly component?: string } & Place)
  /** From the policy, or because there is no network: a resource that the document wanted to load. */
  | { readonly kind: "blocked"; readonly message: string }
  | ({ readonly kind: "console" } & PageReport["console"][number]);

export interface Screenshots {
  readonly large: Uint8Array;
  readonly small: Uint8Array;
}

export type HostMessage =
  | { readonly ready: true }
  | { readonly pageMessage: PageMessage }
  | DrawnMessage
  | { readonly allDrawn: true; readonly needsRestart: boolean }
  /** A file of the document's packages, by its path. */
  | { readonly wantedFile: { readonly wanted: number; readonly path: string } }
  /** `needsRestart`: the process cannot end something that the document left behind. */
  | { readonly screenshots: Screenshots; readonly needsRestart: boolean }
  | { readonly failed: "took too long" | "crashed" }
  /** Not caused by the document. */
  | { readonly broken: string };
