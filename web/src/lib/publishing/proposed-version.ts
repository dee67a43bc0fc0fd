// The next version of an artifact as a drop has it: its document, what that changes in the latest version, and the files
// that go with it. Publishes nothing.
import { coarseDiff } from "@plinth/contract/diff/coarse-diff";
import { exactDiff } from "@plinth/contract/diff/exact-diff";
import type { LineDiff } from "@plinth/contract/diff/line-diff";
import type { Problem } from "@plinth/contract/errors";
import { directoryAbove, directoryOf, manifestText } from "@plinth/contract/publishing/file-path";
import { indexPage } from "@plinth/contract/publishing/file-place";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import { importCandidates } from "@plinth/contract/publishing/import-path";
import { inferType } from "@plinth/contract/publishing/document-type";
import type { DocumentFiles, ReferencePlace } from "@plinth/contract/publishing/references/collect";
import { partsAmong } from "@plinth/contract/publishing/references/parts";
import { folderOf, joined } from "@plinth/contract/publishing/references/paths";
import { relativePath } from "@plinth/contract/publishing/references/reference";
import type { Artifact, ArtifactType, Version } from "@plinth/contract/schemas/artifact";
import type { FilesDiff, VersionFile, VersionFiles } from "@plinth/contract/schemas/file";
import { askApi, askText } from "#lib/ask-api.ts";
import type { Dropped } from "#lib/dropped-files.ts";
import { edited, lineEnding } from "#lib/editing/text-form.ts";
import { documentFilesTexts } from "#messages/document-files.ts";
import { listFiles, type FileList } from "./listed-files.ts";
import { filesWith, type ListedDocument } from "./listed-source.ts";
import { textOf } from "./text-of.ts";
import type { UploadedFile } from "./uploads.ts";

export type Updated = Pick<Artifact, "artifactId" | "type" | "sourcePath">;

export interface ProposedVersion {
  /** The path of the document among the dropped files. */
  readonly name: string;
  readonly text: string;
  readonly ending: "\r\n" | "\n";
  /** The latest version, which it is compared with and comes after. */
  readonly base: { readonly version: number; readonly text: string };
  readonly diff: LineDiff;
  /** Null where the files of the latest version stay. */
  readonly files: ProposedFiles | null;
  /** Files were dropped, and a page without https cannot hash them. */
  readonly lacksHashes: boolean;
  /** Files of the latest version. */
  readonly filesBefore: number;
  readonly found: DocumentFiles | null;
}

interface ProposedFiles {
  readonly files: readonly UploadedFile[];
  readonly documentPath: string;
  readonly diff: FilesDiff;
}

export type Proposal =
  | { readonly kind: "proposed"; readonly version: ProposedVersion }
  /** The document is the latest version's, and so are its files. */
  | { readonly kind: "unchanged"; readonly name: string; readonly version: number }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly problem: Problem };

/** So many lines may differ before texts are compared as one block: the time grows with its square. */
const editsMax = 4000;

export async function proposeVersion(
  artifact: Updated,
  dropped: readonly Dropped[],
  maxBytes: number,
): Promise<Proposal> {
  const listed = await listFiles(dropped);
  const list = { files: fromSourcePath(listed.files, artifact.sourcePath), loose: listed.loose };
  const chosen = await documentOf(artifact, list, maxBytes);
  if ("refused" in chosen) return { kind: "refused", why: chosen.refused };
  const asked = await latestOf(artifact);
  if ("problem" in asked) return { kind: "failed", problem: asked.problem };
  const { document, documents } = chosen;
  const all = document.path === indexOf(artifact, list) ? [...list.files.keys()].toSorted() : [];
  const [found = null] = isSecureContext ? await filesWith(list, [document], documents, all) : [];

  const text = edited(document.text);
  const base = { version: asked.version, text: edited(asked.text) };
  const placed = found === null || found.files.length === 0 ? null : placedFiles(found, list.files, artifact, asked);
  const isSame = placed === null || manifestOf(placed) === manifestText(asked.files.base, asked.files.files);
  if (text === base.text && isSame) return { kind: "unchanged", name: document.path, version: base.version };
  return {
    kind: "proposed",
    version: {
      name: document.path,
      text,
      ending: lineEnding(document.text),
      base,
      diff: exactDiff(base.text, text, editsMax) ?? coarseDiff(base.text, text),
      files: isSame ? null : placed,
      lacksHashes: !isSecureContext && list.files.size > 1,
      filesBefore: asked.files.files.length,
      found: found === null ? null : withKept(found, placed === null ? asked.files : null),
    },
  };
}

/** Of a folder that has the document's folder in it, the files from there. */
function fromSourcePath(files: ReadonlyMap<string, File>, sourcePath: string | null): ReadonlyMap<string, File> {
  if (sourcePath === null || files.has(sourcePath)) return files;
  const path = [...files.keys()].find((one) => one.endsWith(`/${sourcePath}`));
  if (path === undefined) return files;
  const top = path.slice(0, -sourcePath.length);
  return new Map([...files].flatMap(([one, file]) => (one.startsWith(top) ? [[one.slice(top.length), file]] : [])));
}

interface Chosen {
  readonly document: ListedDocument;
  /** The paths of documents: links to them are links between documents. */
  readonly documents: ReadonlySet<string>;
}

const names: Readonly<Record<ArtifactType, string>> = { md: "Markdown", html: "HTML", jsx: "JSX" };

/** The index page of a folder that is one document with all of its files; undefined where it is none. */
const indexOf = ({ type, sourcePath }: Updated, { files, loose }: FileList): string | undefined =>
  type === "html" && sourcePath === null && loose.size === 0 && files.has(indexPage) ? indexPage : undefined;

/** The document at the source path, else the index page of its folder, else the only one of the artifact's type. */
async function documentOf(artifact: Updated, list: FileList, maxBytes: number): Promise<Chosen | { refused: string }> {
  const { type, sourcePath } = artifact;
  const text = documentFilesTexts();
  const { files } = list;
  const paths = [...files.keys()].filter((path) => inferType(path) !== null);
  const ofType = paths.filter((path) => inferType(path) === type);
  const own = sourcePath === null ? indexOf(artifact, list) : atSourcePath(ofType, sourcePath);
  const [only] = files.keys();
  const isPlain = type === "md" && files.size === 1 && only !== undefined && isPlainText(only);
  const candidates = own !== undefined ? [own] : isPlain ? [only] : ofType;
  const [first] = paths;
  if (candidates.length === 0)
    return {
      refused:
        paths.length === 1 && first !== undefined
          ? text.otherType({ name: first, type: names[inferType(first) ?? "md"], own: names[type] })
          : text.noDocument({ type: names[type] }),
    };
  const read: ListedDocument[] = [];
  for (const path of candidates) {
    const file = files.get(path);
    const found = file === undefined ? { refused: text.notRead({ name: path }) } : await textOf(file, maxBytes);
    if ("text" in found) read.push({ path, type, text: found.text });
    else if (candidates.length === 1) return found;
  }
  const whole = await withoutParts(list, read);
  const [document] = whole;
  if (document === undefined || whole.length > 1)
    return {
      refused: text.severalDocuments({ count: whole.length, type: names[type], names: listed(whole) }),
    };
  return { document, documents: new Set(sourcePath === null ? [document.path] : paths) };
}

/** A text that may be Markdown under another name. */
const isPlainText = (path: string): boolean =>
  inferType(path) === null && (mediaTypeOf(path) ?? "text/plain").startsWith("text/plain");

/** A folder below the one that was published has the end of the path. */
function atSourcePath(paths: readonly string[], sourcePath: string): string | undefined {
  if (paths.includes(sourcePath)) return sourcePath;
  const ends = paths.filter((path) => sourcePath.endsWith(`/${path}`));
  return ends.length === 1 ? ends[0] : undefined;
}

async function withoutParts(list: FileList, documents: readonly ListedDocument[]): Promise<readonly ListedDocument[]> {
  if (documents.length < 2 || !isSecureContext) return documents;
  const found = await filesWith(list, documents);
  const parts = partsAmong(new Map(documents.flatMap(({ path }, at) => (found[at] ? [[path, found[at]]] : []))));
  return documents.filter(({ path }) => !parts.has(path));
}

function listed(documents: readonly ListedDocument[]): string {
  const more = documents.length - 5;
  const first = documents
    .slice(0, 5)
    .map(({ path }) => path)
    .join(", ");
  return more > 0 ? documentFilesTexts().andMore({ names: first, count: more }) : first;
}

interface Latest {
  readonly version: number;
  readonly text: string;
  readonly files: Pick<VersionFiles, "base" | "files">;
}

async function latestOf({ artifactId }: Updated): Promise<Latest | { problem: Problem }> {
  const path = `/api/artifacts/${artifactId}`;
  const list = await askApi<{ versions: Version[] }>(`${path}/versions?limit=1`);
  if (!list.ok) return list;
  const [head] = list.body.versions;
  if (head === undefined) throw new Error("An artifact has a version");
  const { versionNumber: version } = head;
  const [text, files] = await Promise.all([
    askText(`${path}/content?version=${version}`),
    head.files.count === 0 ? null : askApi<VersionFiles>(`${path}/versions/${version}/files`),
  ]);
  if (!text.ok) return text;
  if (files !== null && !files.ok) return files;
  return { version, text: text.body, files: files?.body ?? { base: "", files: [] } };
}

/** At the paths that they have in the folder that the artifact came with, so that files that did not change are the same. */
function placedFiles(
  found: DocumentFiles,
  files: ReadonlyMap<string, File>,
  { sourcePath }: Updated,
  latest: Latest,
): ProposedFiles {
  const above = directoryAbove(sourcePath ?? `${latest.files.base}document`, found.documentPath);
  const placed = found.files.flatMap(({ path, place, sha256, sizeBytes }) => {
    const file = files.get(place);
    return file === undefined ? [] : [{ path: `${above}${path}`, sha256, sizeBytes, file }];
  });
  return {
    files: placed,
    documentPath: `${above}${found.documentPath}`,
    diff: filesDiff(latest.files.files, placed),
  };
}

const manifestOf = ({ documentPath, files }: ProposedFiles): string => manifestText(directoryOf(documentPath), files);

function filesDiff(
  before: readonly Pick<VersionFile, "path" | "sha256">[],
  after: readonly Pick<VersionFile, "path" | "sha256">[],
): FilesDiff {
  const [old, now] = [before, after].map((files) => new Map(files.map(({ path, sha256 }) => [path, sha256])));
  const pathsOf = (files: typeof before, isOne: (path: string, sha256: string) => boolean | undefined) =>
    files.filter(({ path, sha256 }) => isOne(path, sha256)).map(({ path }) => path);
  return {
    added: pathsOf(after, (path) => !old?.has(path)),
    removed: pathsOf(before, (path) => !now?.has(path)),
    changed: pathsOf(after, (path, sha256) => old?.has(path) && old.get(path) !== sha256),
  };
}

/** Files of the latest version that stay are there. */
function withKept(found: DocumentFiles, kept: Latest["files"] | null): DocumentFiles {
  if (kept === null || kept.files.length === 0) return found;
  const paths = new Set(kept.files.map(({ path }) => path));
  const isKept = ({ url, file }: ReferencePlace): boolean => {
    const path = joined(joined(kept.base, file === null ? "" : folderOf(file)), relativePath(url) ?? "");
    return importCandidates(path).some((one) => paths.has(one));
  };
  return { ...found, notFound: found.notFound.filter((place) => !isKept(place)) };
}
