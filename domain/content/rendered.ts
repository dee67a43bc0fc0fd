// A version as a browser shows it: the content of the document of each view.
import type { FrameView } from "@plinth/contract/frame";
import type { Database } from "@plinth/db/connection";

import type { Content } from "../render/document/document.ts";
import type { CompiledJsx } from "../render/jsx/compiler.ts";
import type { FramedVersion } from "./framed.ts";
import { textOf } from "./pack.ts";
import type { RendererName } from "./renderers.ts";
import { rendered } from "./renderings.ts";

/** `projectUrl` is absolute and ends in a slash. */
export async function renderedContent(
  db: Database,
  { artifact, version, bytes }: FramedVersion,
  view: FrameView,
  projectUrl: string,
): Promise<Content> {
  const { type, title } = artifact;
  const content = bytes ?? new Uint8Array();
  const by = (name: RendererName) => rendered(db, { sha256: version.sha256, type, name }, content);
  if (view === "source") return { kind: "source", title, html: await by("source") };
  if (type === "html") return { kind: "html", source: textOf(content) };
  if (type === "md") return { kind: "md", title, projectUrl, html: await by("md") };
  return { kind: "jsx", title, compiled: JSON.parse(await by("jsx")) as CompiledJsx };
}
