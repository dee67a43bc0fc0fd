// The content routes: an artifact's version as a document for its sandboxed frame (docs/reference/security.md §1).
import { encodedPath } from "@plinth/contract/publishing/file-path";
import { indexPage } from "@plinth/contract/publishing/file-place";
import { filesAddress, type FrameView, viewAddress } from "@plinth/contract/frame";
import { versionNumberMax } from "@plinth/contract/limits";
import type { LoadedVersion } from "@plinth/domain/access/resource";
import {
  framedDocument,
  framedHeaders,
  framedTag,
  framedTypeOf,
  heldImages,
  imagesTag,
  projectUrlOf,
  type FramedAnswer,
  type ReaderFraming,
  type ReadVersion,
  withDrawings,
  withLock,
  withoutPolicies,
} from "@plinth/domain/content/framed-document";
import { publicFile, publicVersion, redeemFile, redeemTicket, type Redeemed } from "@plinth/domain/content/redeem";
import { sealFilesTicket } from "@plinth/domain/content/ticket";
import { welcomeVersion } from "@plinth/domain/content/welcome";
import type { Instance } from "@plinth/domain/context";
import { notFound } from "@plinth/domain/access/refusals";
import type { DocumentFiles } from "@plinth/domain/render/document/relative-links";
import { contentNonce } from "@plinth/domain/render/headers/content-headers";
import { addressKey, documentKey, requireAllowance, type RateLimiter } from "@plinth/domain/rate-limit";
import { createReadyAnswers, type ReadyAnswers } from "@plinth/platform/ready-answers";
import type { Runtime } from "@plinth/runtime/manifest";

import type { Elysia } from "elysia";

import { expiredPage } from "./expired-page.ts";
import { shownPrincipal, type MetaOf, type RequestMeta } from "./request-meta.ts";
import { type FilesAt, isDirectory, leadTo, servedAt } from "./file-place.ts";
import { fresh, sized } from "./respond.ts";

/** The dependencies of a content route. */
export interface ContentServing {
  readonly instance: Instance;
  readonly runtime: Runtime;
  /** Documents at steady addresses, by their ETag. */
  readonly framed: ReadyAnswers;
}

/** Characters of a document that is kept: compressing a longer one takes the event loop too long. */
const keptAtMost = 128 * 1024;

export const createFramedDocuments = (): ReadyAnswers => createReadyAnswers("framedDocuments");

const views: readonly FrameView[] = ["document", "source"];

/** The steady addresses of a version that anyone may see: framed by the pages of the app, or by those of any site. */
type SteadyPlace = "p" | "e";

/** Adds the content routes, each with its two views. */
export function addContent(app: Elysia, serving: ContentServing, metaOf: MetaOf): void {
  for (const view of views) {
    app.get(viewAddress("/_content/:ticket", view), ({ request, params: { ticket } }) =>
      counted(serving, request, metaOf(request), (meta) => ticketContent(serving, request, { ticket, view }, meta)),
    );
    app.get(viewAddress("/_content/p/:artifactId/:number", view), ({ request, params: { artifactId, number } }) =>
      counted(serving, request, metaOf(request), (meta) =>
        steadyContent(serving, request, { place: "p", artifactId, number, view }, meta),
      ),
    );
  }
  app.get("/_content/e/:artifactId/:number", ({ request, params: { artifactId, number } }) =>
    counted(serving, request, metaOf(request), (meta) =>
      steadyContent(serving, request, { place: "e", artifactId, number, view: "document" }, meta),
    ),
  );
  app.get(`${filesAddress("/_content/:ticket")}*`, (context) => {
    const { request, params } = context;
    const asked = { ticket: params.ticket, path: params["*"] };
    return counted(serving, request, metaOf(request), (meta) => ticketFile(serving, request, asked, meta), "files");
  });
  app.get(`${filesAddress("/_content/p/:artifactId/:number")}*`, (context) => {
    const { request, params } = context;
    const asked = { place: "p", artifactId: params.artifactId, number: params.number, path: params["*"] } as const;
    return counted(serving, request, metaOf(request), (meta) => steadyFile(serving, request, asked, meta), "files");
  });
  app.get(`${filesAddress("/_content/e/:artifactId/:number")}*`, (context) => {
    const { request, params } = context;
    const asked = { place: "e", artifactId: params.artifactId, number: params.number, path: params["*"] } as const;
    return counted(serving, request, metaOf(request), (meta) => steadyFile(serving, request, asked, meta), "files");
  });
  // The files of a draft, by the same ticket at another address.
  app.get(`${filesAddress("/_content/draft/:draft/:ticket")}*`, (context) => {
    const { request, params } = context;
    const asked = { ticket: params.ticket, path: params["*"] };
    const root = filesAddress(`/_content/draft/${params.draft}/${params.ticket}`);
    return counted(
      serving,
      request,
      metaOf(request),
      (meta) => ownFile(serving, request, { ...asked, root }, meta),
      "files",
    );
  });
  app.get("/_content/welcome/:number", ({ request, params: { number } }) =>
    counted(serving, request, metaOf(request), (meta) => welcomeContent(serving, request, number, meta)),
  );
}

/**
 * Counts a document among the reads of its reader's IP address, because the request has no credential, or a file among the
 * files. Of a document that loads itself again and again, the loads beyond its share are not counted among the reads.
 * @throws rate_limited
 */
async function counted(
  { instance: { limiter } }: ContentServing,
  request: Request,
  meta: RequestMeta,
  serve: (meta: RequestMeta) => Promise<Response>,
  budget: "reads" | "files" = "reads",
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (budget === "reads" || isDirectory(pathname) || pathname.endsWith(`/${indexPage}`))
    await spend(limiter.take("loads", documentKey(meta.address, pathname)));
  await spend(limiter.take(budget, addressKey(meta.address)));
  return serve(meta);
}

/** @throws rate_limited */
async function spend(taken: ReturnType<RateLimiter["take"]>): Promise<void> {
  const allowance = await taken;
  if (allowance !== null) requireAllowance(allowance);
}

/**
 * `/_content/welcome/<n>`: the built-in document of every instance, for the page that introduces Plinth. @throws
 * not_found
 */
async function welcomeContent(
  serving: ContentServing,
  request: Request,
  number: string,
  { address }: RequestMeta,
): Promise<Response> {
  const { publicUrl } = serving.instance.config;
  if (isPageLoad(request)) return leadTo(`${publicUrl}/`);
  const framed = { ...welcomeVersion(versionOf(number)), principal: { type: "anonymous", address } } as const;
  return steadyDocument(serving, request, framed, { place: "p", view: "document" });
}

/** `/_content/<ticket>`, and `…/source`: for one reader, for a minute. @throws not_found */
async function ticketContent(
  serving: ContentServing,
  request: Request,
  { ticket, view }: { ticket: string; view: FrameView },
  { address, requestId, method, learned }: RequestMeta,
): Promise<Response> {
  const loaded = await redeemTicket(serving.instance, ticket, address);
  if (loaded === "expired") return expired(serving);
  learned.principal = shownPrincipal(loaded.principal);
  if (isPageLoad(request)) return toViewer(serving, loaded, view);
  const { files } = loaded.version;
  if (files !== null && view === "document") {
    const { config } = serving.instance;
    return toFiles(serving, request, `/_content/${sealFilesTicket(config.secret, loaded)}`, files.base);
  }
  const framed = await withLock(serving.instance.db, loaded);
  return ticketDocument(serving, request, framed, view, { requestId, method, ticket });
}

async function ticketDocument(
  serving: ContentServing,
  request: Request,
  framed: ReadVersion,
  view: FrameView,
  { requestId, method, ticket }: Pick<RequestMeta, "requestId" | "method"> & { readonly ticket: string },
): Promise<Response> {
  const [framing, nonce] = [framingOf(serving, request), contentNonce()];
  const { html, isPending, images, ownImages } = await framedDocument(framing, framed, view, nonce);
  if (method === "GET") serving.instance.shareUses.record(framed.principal, { surface: "web", requestId, ticket });
  const { lock, files } = framed;
  const answer = { isPending, lock, images, ownImages, files };
  return sized(html, framedHeaders(framing, framedTypeOf(framed, view), nonce, answer));
}

/** `/_content/<ticket>/files/…`: a version with files for one reader, and its files. @throws not_found */
function ticketFile(
  serving: ContentServing,
  request: Request,
  { ticket, path }: { ticket: string; path: string },
  meta: RequestMeta,
): Promise<Response> {
  const { requestId, method } = meta;
  const root = filesAddress(`/_content/${ticket}`);
  return servedAt(request, path, {
    ...ticketFiles(serving, request, { ticket, path, root }, meta),
    document: async (loaded, files) =>
      isPageLoad(request)
        ? toViewer(serving, loaded, "document")
        : ticketDocument(serving, request, await withFiles(serving, loaded, files), "document", {
            requestId,
            method,
            ticket,
          }),
  });
}

/** The files of a draft, whose document is in the form that was posted. @throws not_found */
const ownFile = (
  serving: ContentServing,
  request: Request,
  asked: { ticket: string; path: string; root: string },
  meta: RequestMeta,
): Promise<Response> =>
  servedAt(request, asked.path, {
    ...ticketFiles(serving, request, asked, meta),
    document: () => Promise.reject(notFound()),
  });

/** `root` is the address of the root of the files. */
const ticketFiles = (
  serving: ContentServing,
  request: Request,
  { ticket, path, root }: { ticket: string; path: string; root: string },
  { address, learned }: RequestMeta,
): Omit<FilesAt, "document"> => ({
  root,
  framing: framingOf(serving, request),
  file: (asked) => redeemFile(serving.instance, ticket, { ...asked, address }),
  async version() {
    const loaded = await redeemTicket(serving.instance, ticket, address);
    if (loaded !== "expired") {
      learned.principal = shownPrincipal(loaded.principal);
      return loaded;
    }
    if (!isDirectory(path)) throw notFound();
    return expired(serving);
  },
});

/** `/_content/p/<artifactId>/<n>/files/…`, and `/_content/e/…`: a public version with files, and its files. @throws not_found */
function steadyFile(
  serving: ContentServing,
  request: Request,
  { place, artifactId, number, path }: { place: SteadyPlace; artifactId: string; number: string; path: string },
  { address }: RequestMeta,
): Promise<Response> {
  const { instance } = serving;
  const versionNumber = versionOf(number);
  return servedAt(request, path, {
    root: filesAddress(`/_content/${place}/${artifactId}/${versionNumber}`),
    framing: framingOf(serving, request, place),
    file: (asked) => publicFile(instance, { artifactId, versionNumber }, { ...asked, address }),
    version: () => publicVersion(instance, artifactId, versionNumber, address),
    document: async (loaded, files) =>
      isPageLoad(request)
        ? toViewer(serving, loaded, "document")
        : steadyDocument(serving, request, await withFiles(serving, loaded, files), { place, view: "document" }),
  });
}

/** The version with its locks and its files. */
const withFiles = async ({ instance: { db } }: ContentServing, loaded: Redeemed, files: DocumentFiles) => ({
  ...(await withLock(db, loaded)),
  files,
});

/** Redirects to the document among its files, with the query that it may have been asked with. */
const toFiles = ({ instance }: ContentServing, request: Request, address: string, base: string): Response =>
  leadTo(instance.config.contentOrigin + filesAddress(address) + encodedPath(base) + new URL(request.url).search);

/**
 * `/_content/p/<artifactId>/<n>`, and `…/source`: public content, which caches store and revalidate each time; at
 * `/_content/e/…` for the pages of any site. @throws not_found
 */
async function steadyContent(
  serving: ContentServing,
  request: Request,
  { place, artifactId, number, view }: SteadyView & { artifactId: string; number: string },
  { address }: RequestMeta,
): Promise<Response> {
  const loaded = await publicVersion(serving.instance, artifactId, versionOf(number), address);
  if (isPageLoad(request)) return toViewer(serving, loaded, view);
  const { files } = loaded.version;
  if (files !== null && view === "document")
    return toFiles(serving, request, `/_content/${place}/${artifactId}/${loaded.version.versionNumber}`, files.base);
  return steadyDocument(serving, request, await withLock(serving.instance.db, loaded), { place, view });
}

interface SteadyView {
  readonly place: SteadyPlace;
  readonly view: FrameView;
}

async function steadyDocument(
  serving: ContentServing,
  request: Request,
  version: ReadVersion,
  { place, view }: SteadyView,
): Promise<Response> {
  const framing = framingOf(serving, request, place);
  const framed = withDrawings(version, view);
  const tag = framedTag(framing, framed, view);
  const ready = serving.framed.find(tag);
  if (ready !== null) return ready.answer(request);
  const nonce = contentNonce(tag);
  const { lock, files } = framed;
  const headersWith = (answer: FramedAnswer) =>
    framedHeaders(framing, framedTypeOf(framed, view), nonce, { lock, files, ...answer });
  const held = await heldImages(framing, framed, tag, request.headers.get("if-none-match"));
  const known = headersWith(held ?? { etag: tag, images: framed.images });
  const unchanged = fresh(request, framed.artifact.type === "md" ? withoutPolicies(known) : known);
  if (unchanged !== null) return unchanged;
  const { html, isFinal, isPending, images, ownImages, drawings } = await framedDocument(framing, framed, view, nonce);
  // An unfinished rendering has no ETag, and no cache stores it.
  if (!isFinal) return sized(html, headersWith({ isPending, images, ownImages }));
  // A process may learn only now of drawings, or that there are diagrams without any.
  const shownTag = drawings === framed.drawings ? tag : framedTag(framing, { ...framed, drawings }, view);
  const etag = framed.artifact.type === "md" && images !== undefined ? imagesTag(shownTag, images) : shownTag;
  const headers = headersWith({ etag, images, ownImages });
  // The tag names everything that this document is made of. With images of other sites, it is not known before them.
  if (etag !== shownTag || html.length > keptAtMost) return fresh(request, headers) ?? sized(html, headers);
  return serving.framed.keep(shownTag, { body: html, headers: Object.entries(headers) }).answer(request);
}

/** The answer to a ticket that was good once. */
export function expired(serving: ContentServing): Response {
  const nonce = contentNonce();
  return expiredPage(framedHeaders(unaddressed(serving), "md", nonce), nonce);
}

/** Of a document that has no address to load itself again from. */
export const unaddressed = ({ instance: { db, config }, runtime }: ContentServing): ReaderFraming => ({
  db,
  config,
  runtime,
  ownUrl: null,
});

const framingOf = (serving: ContentServing, request: Request, place: SteadyPlace = "p"): ReaderFraming => ({
  ...unaddressed(serving),
  ownUrl: serving.instance.config.contentOrigin + new URL(request.url).pathname,
  isEmbedded: place === "e",
});

/**
 * Zero, which no version has, for an invalid number: a number that PostgreSQL can't hold would fail a whole batch of
 * loads.
 */
function versionOf(number: string): number {
  const version = /^[1-9]\d{0,9}$/.test(number) ? Number(number) : 0;
  return version <= versionNumberMax ? version : 0;
}

/** Content is never a page by itself: a reader who opens its URL is redirected to the viewer. */
const isPageLoad = (request: Request): boolean => request.headers.get("sec-fetch-dest") === "document";

function toViewer(serving: ContentServing, loaded: LoadedVersion, view: FrameView): Response {
  const asked = view === "source" ? "&view=source" : "";
  const location = `${projectUrlOf(serving.instance.config, loaded)}${loaded.artifact.slug}?v=${loaded.version.versionNumber}${asked}`;
  return leadTo(location);
}
