// Types of rendering a version's document: its input, its options and its result.
import type { ArtifactRow, FileSetRow } from "../access/resource.ts";
import type { Content } from "../render/document/content.ts";
import type { DocumentFiles } from "../render/document/relative-links.ts";
import type { Work } from "../threads/fair-queue.ts";
import type { Drawings } from "./drawings.ts";
import type { ImageManner, VersionImages } from "./image-documents.ts";
import type { LockedVersion, VersionLock } from "./package-documents.ts";

/** A version, with all that its document is made of. */
export interface FramedVersion {
  readonly artifact: Pick<
    ArtifactRow,
    "type" | "title" | "workspaceId" | "ownerUsername" | "projectSlug" | "sourcePath"
  >;
  /** With the files beside it, where they count. */
  readonly version: LockedVersion & { readonly files?: FileSetRow | null };
  readonly bytes: Uint8Array | null;
  /** Missing where it is shown without its files. */
  readonly files?: DocumentFiles | null;
  /** Of an html or jsx version; null where there is none yet, missing where its packages are left alone. */
  readonly lock?: VersionLock | null;
  /** The same of its images. */
  readonly images?: VersionImages | null | undefined;
  /** The digest of the drawings of a markdown version's diagrams; missing where it has none, or none is known of. */
  readonly drawings?: string | undefined;
}

export interface RenderedVersion {
  readonly content: Content;
  /** Whether it stays like this for as long as renderers and runtime do; else no cache may keep it. */
  readonly isFinal: boolean;
  /** Missing where it shows no images of other sites, null where they have no lock. */
  readonly images?: VersionImages | null | undefined;
  /** Missing where it has no diagrams. */
  readonly drawings?: Drawings | undefined;
}

/** How a version is rendered. */
export interface RenderingManner {
  /** Absolute, ends in a slash. */
  readonly folderUrl: string;
  /** The origins of the app and of the content. */
  readonly ownOrigins: ReadonlySet<string>;
  readonly work: Work;
  /**
   * How long a reader waits before they are shown the text while it is still being rendered, in ms. Null for a
   * screenshot, which waits until it is rendered.
   */
  readonly waitMs: number | null;
  /** Whether a lock that is missing is being made: the document then waits for it. */
  readonly fetchesPackages: boolean;
  readonly images: ImageManner;
}
