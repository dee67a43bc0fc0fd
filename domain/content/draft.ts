// Renders a draft like published content without storing it: a draft ticket authorizes it, and it uses the same
// renderers. Reads and writes only the access data.
import { AppError } from "@plinth/contract/errors";
import { registry } from "@plinth/contract/registry";
import { publicDraftBytes, slugLength, slugPattern, titleLength } from "@plinth/contract/limits";
import { artifactTypes, type ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { admit } from "../access/authorize.ts";
import { withoutLink, principalKey, type Principal } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import type { Config } from "../config.ts";
import type { Instance } from "../context.ts";
import { asAppError } from "../failure.ts";
import { invalid } from "../input.ts";
import { npmUrl } from "../packages/find/jsx-references.ts";
import { findLock, type PackageLock } from "../packages/lock.ts";
import { requireAllowance } from "../rate-limit.ts";
import type { Content } from "../render/document/content.ts";
import type { CompiledJsx } from "../render/jsx/compiler.ts";
import { mayImportFiles } from "../render/jsx/files-beside.ts";
import { nearestModule } from "../render/jsx/unknown.ts";
import { requireSize } from "../storage/size.ts";
import { JsxError, withFileName } from "../threads/jsx.ts";
import { createUsageCounter } from "@plinth/platform/usage-counter";
import { compiledJsx } from "./compiled-jsx.ts";
import { openDraftTicket } from "./draft-ticket.ts";
import { folderUrlOf, ownOriginsOf, projectUrlOf } from "./framed-document.ts";
import { presentedBy } from "../access/ticket-credential.ts";
import { documentFiles } from "./document-files.ts";
import { importableFiles, latestFiles, packedFiles } from "./importable-files.ts";
import { loadedPackages } from "./package-documents.ts";
import { keptPieces } from "./kept-pieces.ts";
import { make } from "./renderers.ts";
import { publicWork, workFor } from "./work.ts";
import { imageEdits } from "../images/rewrite.ts";
import type { ImageReference } from "../images/reference.ts";
import { edited } from "../packages/rewrite.ts";
import type { Work } from "../threads/fair-queue.ts";
import { imagesOf } from "../threads/bounded-tasks.ts";
import { imageStatus, shownImages } from "./image-documents.ts";

/** The images of other sites in a draft: each is its text in a pill, because they are fetched after publishing. */
const draftImages = shownImages(null, imageStatus.draft);

/** Most documents have none, and a draft is drawn often. */
const mayShow = (html: string): boolean => /<(?:img|input)\b/i.test(html) && html.includes("//");

/** @throws busy */
async function draftHtml(html: string, work: Work): Promise<string> {
  const images: readonly ImageReference[] = mayShow(html) ? (await imagesOf(html, work)).images : [];
  return edited(html, imageEdits(html, images, { lock: null, status: imageStatus.draft }));
}

/** Who drafts, and what is known of the document without being told. */
export interface Drafting {
  readonly principal: Principal;
  /**
   * The subject of the rate limit: for a share link the reader's address, so that other holders of the link are not
   * affected.
   */
  readonly countedAs: string;
  /** Null for a text that belongs nowhere yet. */
  readonly row: ArtifactRow | WorkspaceRow | null;
}

/** A text as it would be published. */
export interface Draft {
  readonly type: ArtifactType;
  readonly title: string;
  readonly folderUrl: string;
  readonly content: string;
}

/** By whose right something is drafted, and where; `expired` where the ticket was genuine once. @throws not_found, rate_limited */
export async function redeemDraftTicket(
  instance: Instance,
  text: string,
  address: string,
): Promise<Drafting | "expired"> {
  const ticket = openDraftTicket(instance.config.secret, text);
  if (ticket === null) throw notFound();
  if (ticket.expiresAt.getTime() <= Date.now()) return "expired";
  if (ticket.place.kind === "none") {
    const principal = { type: "anonymous", address } as const;
    return { principal, countedAs: principalKey(principal), row: null };
  }
  const { kind, ...input } = ticket.place;
  const op = kind === "artifact" ? registry["artifact.draftTicket"] : registry["workspace.draftTicket"];
  try {
    const caller = { ...presentedBy(ticket.madeWith), address };
    const { principal, resource } = await admit(instance.load, op, caller, input);
    const countedAs = principalKey(withoutLink(principal));
    return { principal, countedAs, row: resource as ArtifactRow | WorkspaceRow };
  } catch (thrown) {
    const error = asAppError(thrown);
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  }
}

/**
 * Counts one rendering as a read of the author, because nothing is written; without an account as a preview of the
 * address. @throws rate_limited
 */
export async function countDraft({ limiter }: Instance, { countedAs, row }: Drafting): Promise<void> {
  const allowance = await limiter.take(row === null ? "previews" : "reads", countedAs);
  if (allowance !== null) requireAllowance(allowance);
}

/** Of one caller: an editor has one at a time. */
const mostAtOnce = 8;
/** Of one network address without an account. */
const mostPublicAtOnce = 2;
const retryAfterSeconds = 2;
const underWay = createUsageCounter();

/** Does the work of one draft. Each holds a whole text until its turn comes, so only so many may wait. @throws rate_limited */
export async function withDraft<Result>({ countedAs, row }: Drafting, work: () => Promise<Result>): Promise<Result> {
  const most = row === null ? mostPublicAtOnce : mostAtOnce;
  if (underWay.taken(countedAs) >= most)
    throw new AppError("rate_limited", `There are more than ${most} drafts at once`, {
      retryAfterSeconds,
      hint: `Wait ${retryAfterSeconds} s and send it again`,
    });
  underWay.take(countedAs);
  try {
    return await work();
  } finally {
    underWay.leave(countedAs);
  }
}

/** The longest text of a draft, in bytes. */
export const draftLimit = ({ maxContentBytes }: Config, { row }: Drafting): number =>
  row === null ? Math.min(publicDraftBytes, maxContentBytes) : maxContentBytes;

/** What a form says of a draft; of an artifact's, its own type, title and place hold. @throws invalid_request, content_too_large */
export function readDraft(config: Config, drafting: Drafting, form: URLSearchParams): Draft {
  const { row } = drafting;
  // A browser writes every end of a line in a form as CR LF.
  const content = (form.get("content") ?? "").replaceAll("\r\n", "\n");
  requireSize(content, draftLimit(config, drafting));
  if (row !== null && "artifactId" in row)
    return { type: row.type, title: row.title, folderUrl: folderUrlOf(config, { artifact: row }), content };
  const type = artifactTypes.find((one) => one === form.get("type"));
  if (type === undefined) throw invalid([{ path: "type", message: "must be md, html or jsx" }]);
  const title = Array.from(form.get("title") ?? "")
    .slice(0, titleLength)
    .join("");
  const slug = form.get("projectSlug") ?? "";
  const projectSlug = slug.length <= slugLength && new RegExp(slugPattern).test(slug) ? slug : "project";
  const place = { artifact: { ownerUsername: row?.slug ?? "you", projectSlug } };
  return { type, title, folderUrl: projectUrlOf(config, place), content };
}

/** A draft's document, and the lock of the packages that it loads. */
interface RenderedDraft {
  readonly content: Content;
  readonly lock: PackageLock | null;
}

/**
 * The document of a draft, with the files of the latest version where `filesUrl` is their address, as it would be published.
 * @throws JsxError, busy
 */
export async function renderedDraft(
  { db, config }: Pick<Instance, "db" | "config">,
  { principal, row }: Drafting,
  { type, title, folderUrl, content }: Draft,
  filesUrl: string | null,
): Promise<RenderedDraft> {
  const work = row === null ? publicWork(principal) : workFor(principal, row.workspaceId);
  const needsFiles = filesUrl !== null || (type === "jsx" && mayImportFiles(content));
  const set = needsFiles && row !== null && "artifactId" in row ? await latestFiles(db, row) : null;
  const files = filesUrl === null ? null : await documentFiles(db, set, filesUrl);
  if (type === "html") return { content: { kind: "html", source: await draftHtml(content, work), files }, lock: null };
  const imported = type === "jsx" ? importableFiles(content, set) : null;
  const beside = imported === null ? null : await packedFiles(db, imported);
  const known = keptPieces(work);
  const { text } = await make(type, new TextEncoder().encode(content), { type, work, beside, known });
  if (type === "md")
    return {
      content: {
        kind: "md",
        title,
        folderUrl,
        ownOrigins: ownOriginsOf(config),
        files,
        html: text,
        imageOf: draftImages,
      },
      lock: null,
    };
  const compiled = compiledJsx(text);
  if (compiled.packages.length === 0) return { content: { kind: "jsx", title, compiled, files }, lock: null };
  const lock = await latestLock(db, row);
  requireLocked(compiled.packages, lock);
  return { content: { kind: "jsx", title, compiled, loaded: loadedPackages(lock), files }, lock };
}

/** A draft fetches nothing: it has the packages that the latest version has. */
async function latestLock(db: Database, row: Drafting["row"]): Promise<PackageLock> {
  const none: PackageLock = { entries: [], isComplete: false };
  if (row === null || !("artifactId" in row)) return none;
  return (await findLock(db, { artifactId: row.artifactId, versionNumber: row.latestVersion })) ?? none;
}

/** @throws JsxError with the imports of packages that are not in the lock */
function requireLocked(imports: CompiledJsx["packages"], { entries }: PackageLock): void {
  const locked = new Set(entries.filter(({ files }) => files.length > 0).map(({ url }) => url));
  const problems = imports
    .filter(({ specifier }) => !locked.has(npmUrl(specifier)))
    .map(({ specifier, use: _use, ...place }) => {
      const suggestion = nearestModule(specifier);
      const later = `${JSON.stringify(specifier)} is a package, which is fetched when the document is published.`;
      const advice = suggestion === null ? "" : ` Did you mean "${suggestion}"?`;
      return withFileName({ message: later + advice, ...place });
    });
  if (problems.length > 0) throw new JsxError(problems);
}
