// A version as a browser shows it: the content of the document of each view.
import { frontMatterOf } from "@plinth/contract/front-matter";
import type { FrameView } from "@plinth/contract/frame";
import type { Database } from "@plinth/db/connection";

import type { ArtifactRow } from "../access/resource.ts";
import { jsxReferences } from "../packages/find/jsx-references.ts";
import { rewriteHtml } from "../packages/rewrite.ts";
import type { Reference } from "../packages/reference.ts";
import type { Content } from "../render/document/content.ts";
import { plainSource } from "../render/source/source-lines.ts";
import { textOf } from "../storage/pack.ts";
import type { Work } from "../threads/fair-queue.ts";
import { compiledJsx } from "./compiled-jsx.ts";
import type { RendererName } from "./renderers.ts";
import {
  askForLock,
  loadedPackages,
  loadsPackages,
  missingPackages,
  rememberWithoutPackages,
  type LockedVersion,
  type VersionLock,
} from "./package-documents.ts";
import { rendered, renderedSoon, type Rendered } from "./renderings.ts";

/** A version, with all that its document is made of. */
export interface FramedVersion {
  readonly artifact: Pick<ArtifactRow, "type" | "title" | "workspaceId" | "ownerUsername" | "projectSlug">;
  readonly version: LockedVersion;
  readonly bytes: Uint8Array | null;
  /** Of an html or jsx version; null where there is none yet, missing where its packages are left alone. */
  readonly lock?: VersionLock | null;
}

export interface RenderedVersion {
  readonly content: Content;
  /** Whether it stays like this for as long as renderers and runtime do; else no cache may keep it. */
  readonly isFinal: boolean;
}

/** How a version is rendered. */
export interface RenderingManner {
  /** Absolute, ends in a slash. */
  readonly projectUrl: string;
  readonly work: Work;
  /**
   * How long a reader waits before they are shown the text while it is still being rendered, in ms. Null for a
   * screenshot, which waits until it is rendered.
   */
  readonly waitMs: number | null;
  /** Whether a lock that is missing is being made: the document then waits for it. */
  readonly fetchesPackages: boolean;
}

/** @throws JsxError, and busy for a screenshot */
export async function renderedContent(
  db: Database,
  framed: FramedVersion,
  view: FrameView,
  { projectUrl, work, waitMs, fetchesPackages }: RenderingManner,
): Promise<RenderedVersion> {
  const { artifact, version, bytes } = framed;
  const { type, title } = artifact;
  const bare = bytes ?? new Uint8Array();
  const by = (name: RendererName): Promise<Rendered | null> => {
    const rendering = { sha256: version.sha256, type, name };
    return waitMs === null ? rendered(db, rendering, bare, work) : renderedSoon(db, rendering, bare, { work, waitMs });
  };
  if (view === "source") {
    const made = await by("source");
    return (
      final(made, ({ text }) => ({ kind: "source", title, html: text })) ?? {
        content: { kind: "source", title, html: plainSource(textOf(bare)) },
        isFinal: false,
      }
    );
  }
  if (type === "html") return htmlContent(db, framed, { work, waitMs, fetchesPackages });
  const made = await by(type);
  if (type === "jsx" && made !== null) return jsxContent(db, framed, made, fetchesPackages);
  return (
    final(made, ({ text }) => ({ kind: "md", title, projectUrl, html: text })) ?? {
      content: { kind: "pending", title, text: type === "md" ? readableText(bare) : "" },
      isFinal: false,
    }
  );
}

/** The compiled document, with kept modules for the packages that it imports. */
async function jsxContent(
  db: Database,
  { artifact: { title }, version, lock }: FramedVersion,
  { text, whole }: Rendered,
  fetchesPackages: boolean,
): Promise<RenderedVersion> {
  const compiled = compiledJsx(text);
  const content = { kind: "jsx", title, compiled } as const;
  if (compiled.packages.length === 0) {
    rememberWithoutPackages(version);
    return { content, isFinal: whole };
  }
  if (lock === undefined || lock === null) {
    if (lock === undefined || !fetchesPackages) return { content, isFinal: false };
    await askForLock(db, version);
    return fetching(title, missingPackages(jsxReferences(compiled.packages)));
  }
  return { content: { ...content, loaded: loadedPackages(lock) }, isFinal: whole && lock.isComplete };
}

/** Shown until the packages are there. */
const fetching = (title: string, packages: number): RenderedVersion => ({
  content: {
    kind: "pending",
    title,
    text: "",
    status: packages === 1 ? "Fetching a package" : `Fetching ${packages} packages`,
  },
  isFinal: false,
});

/** The document as it was published, with kept files in place of CDN URLs where it has a lock that knows them. */
async function htmlContent(
  db: Database,
  { artifact: { title }, version, bytes, lock }: FramedVersion,
  { work, waitMs, fetchesPackages }: Omit<RenderingManner, "projectUrl">,
): Promise<RenderedVersion> {
  const source = textOf(bytes ?? new Uint8Array());
  const unchanged: RenderedVersion = { content: { kind: "html", source }, isFinal: true };
  const isWaiting = lock === null && fetchesPackages;
  if (lock === undefined || !(isWaiting || loadsPackages(lock)))
    return { ...unchanged, isFinal: lock?.isComplete !== false };
  const rendering = { sha256: version.sha256, type: "html", name: "html" } as const;
  const bare = bytes ?? new Uint8Array();
  const made =
    waitMs === null
      ? await rendered(db, rendering, bare, work)
      : await renderedSoon(db, rendering, bare, { work, waitMs });
  if (made === null) return { content: { kind: "pending", title, text: "" }, isFinal: false };
  const references = JSON.parse(made.text) as Reference[];
  if (lock !== null)
    return { content: { kind: "html", source: rewriteHtml(source, references, lock) }, isFinal: lock.isComplete };
  const missing = missingPackages(references);
  if (missing === 0) return { ...unchanged, isFinal: made.whole };
  await askForLock(db, version);
  return fetching(title, missing);
}

const final = (made: Rendered | null, contentOf: (made: Rendered) => Content): RenderedVersion | null =>
  made === null ? null : { content: contentOf(made), isFinal: made.whole };

/** What a reader can read of a markdown source that is not rendered yet. */
function readableText(bytes: Uint8Array): string {
  const text = textOf(bytes).replace(/^\uFEFF/, "");
  return frontMatterOf(text)?.body ?? text;
}
