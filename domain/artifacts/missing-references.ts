// The files and documents that a document refers to and that are not there, for the answers of publishes and of the preview
// (docs/reference/contract.md §3, "Missing references").
import { missingListed } from "@plinth/contract/limits";
import { inferType } from "@plinth/contract/publishing/document-type";
import { foldedPath, isAmong, meaningsOf } from "@plinth/contract/publishing/references/document-links";
import { folderOf, joined } from "@plinth/contract/publishing/references/paths";
import type { ArtifactType, Missing } from "@plinth/contract/schemas/artifact";
import { createCache } from "@plinth/platform/caches";
import { withTimeout } from "@plinth/platform/with-timeout";

import { reauthorize } from "../access/authorize.ts";
import { holdsScope, withoutLink } from "../access/principal.ts";
import type { FileSetRow, LoadedVersion } from "../access/resource.ts";
import { listed, packedFiles, type ListedFiles } from "../content/importable-files.ts";
import { prepareSource, type PreparedVersion } from "../content/source.ts";
import { workFor } from "../content/work.ts";
import type { Context } from "../context.ts";
import { isReadByImports } from "../render/jsx/files-beside.ts";
import type { FoundMissing } from "../render/references/find-missing.ts";
import { mayRefer } from "../render/references/may-refer.ts";
import { compressed, textOf } from "../storage/pack.ts";
import type { PreparedFiles } from "../storage/prepared-files.ts";
import type { SourceText } from "../storage/source-text.ts";
import { missingOf } from "../threads/bounded-tasks.ts";
import { isBusy } from "../threads/thread-errors.ts";
import { linkTargets } from "./linked-documents.ts";

/** A document and its place in a project, from which its links lead. */
interface Placed {
  readonly type: ArtifactType;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly slug: string;
  readonly sourcePath: string | null;
}

/** A text by its hash, as it is stored. */
interface Stored {
  readonly sha256: string;
  readonly data: () => Promise<Uint8Array>;
}

type Files = ListedFiles | PreparedFiles | null;

/** The member of an answer; left out where nothing is missing. */
export const missingField = (missing: PreparedVersion["missing"]) => (missing === undefined ? {} : { missing });

/** The text made ready to be published, and looked through at the same time. `before` is of the same text. @throws what the two do */
export async function prepareWithMissing(
  context: Context,
  placed: Placed,
  text: SourceText,
  files: () => Promise<FileSetRow | PreparedFiles | null>,
  before: PreparedVersion | null = null,
): Promise<Pick<PreparedVersion, "source" | "missing">> {
  const [source, missing] = await Promise.all([
    prepareSource(context, placed, text, files, before?.source.rendering),
    before === null ? missingOfPublish(context, placed, text, files) : before.missing,
  ]);
  return { source, missing };
}

/**
 * Of a text that is to be published; undefined where nothing is missing. Null where that is not known in half of the time
 * that a reader waits for a rendering: then the preview has it. A thread is waited for, so access is decided again afterwards.
 * @throws what reauthorize does
 */
async function missingOfPublish(
  context: Context,
  placed: Placed,
  source: SourceText,
  files: () => Promise<Files>,
): Promise<Missing | null | undefined> {
  if (!mayRefer(placed.type, source.text)) return undefined;
  const look = async (): Promise<Missing | null> => {
    const { sha256, data } = await source.pack();
    return missingIn(context, placed, { sha256, data: () => Promise.resolve(data) }, await files());
  };
  const missing = await withTimeout(context.config.renderWaitMs / 2, look().catch(unlessBusy), () => null);
  await reauthorize(context);
  return missing?.count === 0 ? undefined : missing;
}

function unlessBusy(error: unknown): null {
  if (isBusy(error)) return null;
  throw error;
}

const nothing: Missing = { count: 0, references: [] };

/** Of a version that is there; undefined where its text takes too long to read. @throws busy */
export async function missingOfVersion(
  context: Context,
  { artifact, version: { sha256, files }, bytes }: LoadedVersion,
): Promise<Missing | undefined> {
  const content = (bytes ?? new Uint8Array()) as Uint8Array<ArrayBuffer>;
  if (!mayRefer(artifact.type, textOf(content))) return nothing;
  return (await missingIn(context, artifact, { sha256, data: () => compressed(content) }, files)) ?? undefined;
}

/** Null where it takes too long to find. @throws busy */
async function missingIn(context: Context, placed: Placed, text: Stored, files: Files): Promise<Missing | null> {
  const found = await findOrRemember(context, placed, text, files);
  return found === null ? null : toldOf(found, await deadLinks(context, placed, found.links));
}

/** Each look at a preview, and the one after a publish, finds the same. */
const recent = createCache<FoundMissing>("missingReferences", {
  sizeCalculation: (found) => JSON.stringify(found).length,
});

async function findOrRemember(
  { db, principal }: Context,
  { type, workspaceId }: Placed,
  { sha256, data }: Stored,
  files: Files,
): Promise<FoundMissing | null> {
  const beside = files === null ? null : listed(files);
  const key = `${sha256}:${type}:${beside?.sha256 ?? ""}`;
  const known = recent.get(key);
  if (known !== undefined) return known;
  // Markdown loads files, and none of them loads others.
  const packed = beside === null ? null : await packedFiles(db, beside, type === "md" ? () => false : refersToFiles);
  const input = { content: await data(), type, beside: packed };
  const found = await missingOf(input, workFor(principal, workspaceId));
  if (found !== null) recent.set(key, found);
  return found;
}

const refersToFiles = (path: string): boolean => isReadByImports(path) || inferType(path) === "html";

type Link = FoundMissing["links"][number];

/** The links that lead to no document that the caller can see; none where the caller may read none. */
async function deadLinks(context: Context, placed: Placed, links: readonly Link[]): Promise<readonly Link[]> {
  const caller = withoutLink(context.principal);
  if (links.length === 0 || !holdsScope(caller, "artifacts:read")) return [];
  const folder = folderOf(placed.sourcePath ?? "");
  const led = links.map((link) => ({ link, target: joined(folder, link.target) }));
  const inside = led.filter(({ target }) => meaningsOf(target) !== null && !isPage(target) && !isOwn(target, placed));
  const meanings = inside.flatMap(({ target }) => meaningsOf(target) ?? []);
  const wanted = {
    paths: [...new Set(meanings.flatMap(({ paths }) => paths))],
    slugs: [...new Set(meanings.map(({ slug }) => slug))],
  };
  const there = inside.length === 0 ? null : await linkTargets(context, placed.projectId, wanted);
  const dead = new Set(inside.flatMap(({ link, target }) => (there && isAmong(target, there) ? [] : [link])));
  return led.flatMap(({ link, target }) => (dead.has(link) || leadsOutside(target) ? [link] : []));
}

/** The project's page, and the pages of the instance below it. */
const isPage = (target: string): boolean =>
  target === "" || /(?:^feed\.atom|\/(?:history|files|packages|settings|edit|qr\.svg))$/.test(target);

/** A document has its address as soon as it is published. */
const isOwn = (target: string, { slug, sourcePath }: Placed): boolean =>
  isAmong(target, { paths: new Set(sourcePath === null ? [] : [foldedPath(sourcePath)]), slugs: new Set([slug]) });

/** Out of the project, to a file that is in no other project either. What may be a page of another project is not looked up. */
function leadsOutside(target: string): boolean {
  const [up, ...rest] = target.split("/");
  if (up !== ".." || inferType(target) === null) return false;
  return rest[0] === ".." || rest.length < 2;
}

/** The document's own references first, in the order of its lines. */
function toldOf({ files, fileCount }: FoundMissing, links: readonly Link[]): Missing {
  const references = [
    ...files.map(({ url, line, file }) => ({ path: url, line, kind: "file" as const, ...(file !== null && { file }) })),
    ...links.map(({ url, line }) => ({ path: url, line, kind: "link" as const })),
  ].toSorted((one, other) => Number("file" in one) - Number("file" in other) || one.line - other.line);
  return { count: fileCount + links.length, references: references.slice(0, missingListed) };
}
