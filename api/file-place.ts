// Serves what a path among the files beside a version leads to: a file, a page without its `.html`, the index page of a folder,
// the document itself, or the page for what is missing (contract/publishing/file-place.ts). Access is decided by its caller's
// loaders, each time.
import { AppError } from "@plinth/contract/errors";
import { encodedPath } from "@plinth/contract/publishing/file-path";
import { missingPage, placeOf, type FilePlace } from "@plinth/contract/publishing/file-place";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import { notFound } from "@plinth/domain/access/refusals";
import type { LoadedFile } from "@plinth/domain/access/resource";
import { filesOfVersion } from "@plinth/domain/content/document-files";
import { type FramedAnswer, framedHeaders, type ReaderFraming } from "@plinth/domain/content/framed-document";
import { versionLock } from "@plinth/domain/content/package-documents";
import type { Redeemed } from "@plinth/domain/content/redeem";
import { referringKind, withKeptPackages } from "@plinth/domain/content/referring-files";
import { fileDocument, type FileDocument } from "@plinth/domain/files/read";
import { contentDocument } from "@plinth/domain/render/document/document";
import type { DocumentFiles } from "@plinth/domain/render/document/relative-links";
import { contentNonce } from "@plinth/domain/render/headers/content-headers";
import { textOf } from "@plinth/domain/storage/pack";
import { percentDecoded } from "@plinth/platform/malformed";

import { fileAnswer } from "./file-answer.ts";
import { heldTags, sized } from "./respond.ts";

/** The files of one version at one address. */
export interface FilesAt {
  /** The path of their root, with a slash at its end. */
  readonly root: string;
  readonly framing: ReaderFraming;
  /** @throws not_found */
  readonly file: (asked: { readonly path: string; readonly held: readonly string[] }) => Promise<LoadedFile>;
  /** The version, or the answer to who may not see it any more. @throws not_found */
  readonly version: () => Promise<Redeemed | Response>;
  /** The document among these files. @throws not_found */
  readonly document: (loaded: Redeemed, files: DocumentFiles) => Promise<Response>;
}

/** @throws not_found */
export async function servedAt(request: Request, encoded: string, at: FilesAt): Promise<Response> {
  const path = percentDecoded(encoded);
  if (path === null) throw notFound();
  if (!isDirectory(encoded)) {
    const loaded = await foundOrNull(at.file(askedFor(request, path)));
    if (loaded !== null) return fileResponse(request, loaded, at);
  }
  const loaded = await at.version();
  if (loaded instanceof Response) return loaded;
  const files = await besideVersion(loaded, at);
  if (files === null) throw notFound();
  const placed = { paths: files.paths, index: files.index ?? null };
  const place: FilePlace | null = path === files.base ? { kind: "document" } : placeOf(path, placed);
  if (place?.kind === "document") return at.document(loaded, files);
  if (place?.kind === "folder")
    return isFramed(request)
      ? pageResponse(toFolder, { files }, at)
      : leadTo(at.framing.config.contentOrigin + at.root + encodedPath(`${path}/`) + new URL(request.url).search);
  if (place?.kind === "file") return fileResponse(request, await at.file(askedFor(request, place.path)), at);
  const missing = isFramed(request) ? missingPage(placed) : null;
  if (missing === null) throw notFound();
  const page = await fileResponse(request, await at.file(askedFor(request, missing)), at);
  return new Response(page.body, { status: 404, headers: page.headers });
}

export const isDirectory = (path: string): boolean => path === "" || path.endsWith("/");

/** Redirects, for this request alone. */
export function leadTo(location: string): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

/** In a frame a script leads on, since Chromium follows no redirect under a Connection-Allowlist; it keeps the fragment too. */
const toFolder =
  '<!doctype html><script>location.replace(location.pathname + "/" + location.search + location.hash)</script>';

const besideVersion = (loaded: Redeemed, { framing, root }: FilesAt): Promise<DocumentFiles | null> =>
  filesOfVersion(framing.db, loaded, framing.config.contentOrigin + root);

/** A file whose text depends on what its version has kept of packages is always read. */
const askedFor = (request: Request, path: string) => ({
  path,
  held: referringKind(path) === null ? heldTags(request) : [],
});

async function foundOrNull(loading: Promise<LoadedFile>): Promise<LoadedFile | null> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

const isFramed = (request: Request): boolean => request.headers.get("sec-fetch-dest") === "iframe";

/** A page of the files is framed as an html document is; anything else is sent as it is. @throws not_found */
async function fileResponse(request: Request, loaded: LoadedFile, at: FilesAt): Promise<Response> {
  const { framing } = at;
  const { artifact, version, file } = loaded;
  const rewritten = await withKeptPackages(framing.db, loaded);
  if (!isFramed(request) || mediaTypeOf(file.path)?.startsWith("text/html") !== true)
    return fileAnswer(request, withText(fileDocument(loaded), rewritten));
  const ofVersion = await at.version();
  if (ofVersion instanceof Response) return ofVersion;
  const files = await besideVersion(ofVersion, at);
  if (file.bytes === null) throw new Error("a framed page is always read");
  const lock = await versionLock(framing.db, { ...artifact, ...version });
  return pageResponse(rewritten ?? textOf(file.bytes), { files, lock }, at);
}

function pageResponse(source: string, answer: Pick<FramedAnswer, "files" | "lock">, { framing }: FilesAt): Response {
  const { files = null } = answer;
  const nonce = contentNonce();
  const { html } = contentDocument({ kind: "html", source, files }, framing.runtime, nonce);
  return sized(html, framedHeaders(framing, "html", nonce, answer));
}

/** The file with another text. */
function withText(file: FileDocument, text: string | null): FileDocument {
  if (text === null) return file;
  const bytes = new TextEncoder().encode(text);
  return { ...file, bytes, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
}
