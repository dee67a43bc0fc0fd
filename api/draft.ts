// Drafts: a form of an app page posts a text into a sandboxed frame. The response is the document as it would be
// published, with the headers of published content. Nothing is stored; neither cookie nor bearer token is read.
import { modulesPath } from "@plinth/contract/api-paths";
import { AppError } from "@plinth/contract/errors";
import { filesAddress } from "@plinth/contract/frame";
import { bodyBytesBeyondContent } from "@plinth/contract/limits";
import {
  countDraft,
  draftLimit,
  readDraft,
  redeemDraftTicket,
  renderedDraft,
  withDraft,
  type Drafting,
} from "@plinth/domain/content/draft";
import { framedHeaders } from "@plinth/domain/content/framed-document";
import { contentTooLarge } from "@plinth/domain/storage/size";
import { contentDocument } from "@plinth/domain/render/document/document";
import { contentNonce } from "@plinth/domain/render/headers/content-headers";
import { JsxError } from "@plinth/domain/threads/jsx";
import { isBusy } from "@plinth/domain/threads/thread-errors";

import type { Elysia } from "elysia";

import { readForm } from "./body.ts";
import { brokenDraftPage, refusedDraftPage } from "./broken-draft-page.ts";
import { expired, unaddressed, type ContentServing } from "./content.ts";
import { shownPrincipal, type MetaOf, type RequestMeta } from "./request-meta.ts";
import { sized } from "./respond.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** A form encodes a byte of content in at most three characters. */
const formFactor = 3;

export function addDrafts(app: Elysia, serving: ContentServing, metaOf: MetaOf): void {
  app.post(
    "/_content/draft/:ticket",
    ({ request, params: { ticket } }) => draftContent(serving, request, { ticket, filesTicket: null }, metaOf(request)),
    { parse: "none" },
  );
  // At the document's directory among the files of the latest version.
  app.post(
    `${filesAddress("/_content/draft/:ticket/:filesTicket")}*`,
    ({ request, params: { ticket, filesTicket } }) =>
      draftContent(serving, request, { ticket, filesTicket }, metaOf(request)),
    { parse: "none" },
  );
}

/**
 * In a browser, the frame shows the reason of a failure. @throws forbidden, not_found; rate_limited, busy,
 * invalid_request, content_too_large
 */
async function draftContent(
  serving: ContentServing,
  request: Request,
  { ticket, filesTicket }: { readonly ticket: string; readonly filesTicket: string | null },
  { address, learned, atEnd }: RequestMeta,
): Promise<Response> {
  const { instance } = serving;
  requireOwnFrame(request, instance.config.publicUrl);
  const drafting = await redeemDraftTicket(instance, ticket, address);
  if (drafting === "expired") return expired(serving);
  learned.principal = shownPrincipal(drafting.principal);
  try {
    await countDraft(instance, drafting);
    const root = filesTicket === null ? null : filesAddress(`/_content/draft/${ticket}/${filesTicket}`);
    const filesUrl = root === null ? null : instance.config.contentOrigin + root;
    return await withDraft(drafting, () => draftDocument(serving, request, drafting, { filesUrl, keep: atEnd }));
  } catch (error) {
    const isShown = request.headers.get("accept")?.includes("text/html") === true;
    if (!isShown || !(error instanceof AppError) || (error.status >= 500 && !isBusy(error))) throw error;
    return refusedDraftPage(error, framedHeaders(unaddressed(serving), "md", contentNonce()));
  }
}

/** @throws invalid_request, content_too_large */
async function draftDocument(
  serving: ContentServing,
  request: Request,
  drafting: Drafting,
  { filesUrl, keep }: { readonly filesUrl: string | null; readonly keep: RequestMeta["atEnd"] },
): Promise<Response> {
  const { config } = serving.instance;
  const [framing, nonce] = [unaddressed(serving), contentNonce()];
  const form = await readForm(request, {
    limitBytes: draftLimit(config, drafting) * formFactor + bodyBytesBeyondContent,
    tooLarge: contentTooLarge(draftLimit(config, drafting)),
    // The ticket has already been redeemed.
    identify: () => Promise.resolve(drafting.countedAs),
    keep,
  });
  if (form instanceof AppError) throw form;
  const draft = readDraft(config, drafting, form);
  try {
    const { content, lock } = await renderedDraft(serving.instance, drafting, draft, filesUrl);
    const files = "files" in content ? content.files : null;
    const { html, ownImages } = contentDocument(content, serving.runtime, nonce);
    return sized(html, framedHeaders(framing, draft.type, nonce, { lock, files, ownImages }));
  } catch (error) {
    if (!(error instanceof JsxError)) throw error;
    const broken = {
      problems: error.problems,
      source: draft.content,
      modulesUrl: `${config.publicUrl}${modulesPath}`,
    };
    return brokenDraftPage(broken, framedHeaders(framing, "md", nonce), nonce);
  }
}

/**
 * Only a page of this instance may have a text rendered, and only into a frame: never as a page by itself. @throws
 * forbidden
 */
function requireOwnFrame(request: Request, publicUrl: string): void {
  const destination = request.headers.get("sec-fetch-dest") ?? "iframe";
  if (destination !== "iframe") throw new AppError("forbidden", "A draft is shown in a frame alone");
  requireSameOrigin(request, publicUrl);
}
