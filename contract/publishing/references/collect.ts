// The files that go with a document, followed from its references through style sheets, scripts and pages, and the links
// that lead to other documents. Says what is not there and what is left out. The command line gives it the folders of a
// machine, the web app the files that were dropped; it opens and sends nothing by itself.
import { filesLimits } from "../../limits.ts";
import type { ArtifactType } from "../../schemas/artifact.ts";
import { pathProblem } from "../file-path.ts";
import { mediaTypeOf } from "../file-types.ts";
import type { ImportGlob } from "../import-glob.ts";
import { afterAlias, importCandidates, sourceFolders } from "../import-path.ts";
import { inferType } from "../document-type.ts";
import { likelySecrets, type LikelySecret } from "../likely-secrets.ts";
import type { Found } from "./find.ts";
import { leftOutReasons } from "./left-out.ts";
import { commonFolder, folderOf, joined, pathFrom } from "./paths.ts";
import { placeholderImage } from "../placeholder-images.ts";
import { isRooted, relativePath, type Reference } from "./reference.ts";

/** A file, a folder, nothing, or why a file that is there is left out. `path` is what the source reads the file by. */
export type Place =
  | { readonly kind: "file"; readonly path: string; readonly sizeBytes: number }
  | { readonly kind: "folder" }
  | { readonly kind: "missing" }
  | { readonly kind: "left-out"; readonly reason: string };

/** Where the files are. All paths have `/`, and are all absolute or all relative to one root. */
export interface FileSource {
  /** The place at a path that this document refers to. */
  at(path: string, document: string): Promise<Place>;
  /** The paths of files in a folder and below, bounded; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** A file by its place; null where it is larger than `filesLimits.fileBytes` or cannot be read. */
  read(place: string): Promise<{ readonly bytes: Uint8Array; readonly sha256: string } | null>;
}

export interface DocumentFile {
  /** Its path among the files of the version. */
  readonly path: string;
  /** What its source reads it by. */
  readonly place: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly secrets: readonly LikelySecret[];
}

/** A reference as the user finds it: `file` is the path, from the document's folder, of the style sheet or script that has it. */
export interface ReferencePlace {
  readonly url: string;
  readonly line: number;
  readonly file: string | null;
}

export interface LeftOut extends ReferencePlace {
  readonly reason: string;
  readonly isLink: boolean;
}

/** A file of the document's folder that does not go with it; `path` begins at that folder, and a folder ends in a slash. */
export interface NotTakenFile {
  readonly path: string;
  readonly reason: string;
}

/** A link to another document, a folder, or a place where nothing is. */
export interface DocumentLink extends ReferencePlace {
  /** The path that it leads to; null for a path from the root of a site. */
  readonly target: string | null;
}

export interface DocumentFiles {
  readonly files: readonly DocumentFile[];
  /** Where the document is among its files. */
  readonly documentPath: string;
  readonly notFound: readonly ReferencePlace[];
  readonly leftOut: readonly LeftOut[];
  /** Of the files that were to go along whether a text refers to them or not. */
  readonly notTaken: readonly NotTakenFile[];
  readonly links: readonly DocumentLink[];
  /** Links to files that go with the document. */
  readonly fileLinks: number;
  /** The paths of the modules that it imports. */
  readonly imports: ReadonlySet<string>;
  /** The paths of the pages that it loads, as in a frame. */
  readonly pages: ReadonlySet<string>;
}

export interface Document {
  readonly path: string;
  readonly type: ArtifactType;
  readonly content: string;
}

interface CollectorOptions {
  readonly source: FileSource;
  /** The folder of the documents. Paths of files begin here where all are in it. */
  readonly folder: string;
  /** The paths of the documents that are published: links to them are links between documents. */
  readonly documents: ReadonlySet<string>;
}

export interface Collector {
  /** `all` are the paths of files that go along whether a text refers to them or not, after those that it refers to. */
  collect(document: Document, all?: readonly string[]): Promise<DocumentFiles>;
}

/** Files that several documents refer to are read once. */
export function createCollector(options: CollectorOptions): Collector {
  const read = new Map<string, Promise<ReadFile>>();
  const readOnce = (place: string, path: string): Promise<ReadFile> => {
    const known = read.get(place) ?? readFile(options.source, place, path);
    read.set(place, known);
    return known;
  };
  return { collect: (document, all = []) => collect(document, all, options, readOnce) };
}

const { fileBytes, versionBytes } = filesLimits;

/** A file with what it refers to; null where it is too large or cannot be read. */
type ReadFile = (Omit<DocumentFile, "path" | "place"> & { readonly found: Found }) | null;

const none: Found = { references: [], base: null };

const isText = (mediaType: string): boolean => /^text\/|json|xml|javascript|svg/.test(mediaType);

async function readFile(source: FileSource, place: string, path: string): Promise<ReadFile> {
  const file = await source.read(place);
  if (file === null) return null;
  const { bytes, sha256 } = file;
  const { referencesIn, textKindOf } = await loadFinder();
  const kind = textKindOf(path);
  const text = isText(mediaTypeOf(path) ?? "") ? new TextDecoder().decode(bytes) : "";
  const found = kind === null || kind === "md" ? none : await referencesIn(kind, text);
  return { sha256, sizeBytes: bytes.length, secrets: likelySecrets(text), found };
}

const loadFinder = () => import("./find.ts");

async function collect(
  document: Document,
  all: readonly string[],
  options: CollectorOptions,
  readOnce: (place: string, path: string) => Promise<ReadFile>,
): Promise<DocumentFiles> {
  const home = folderOf(document.path);
  const files = new Map<string, DocumentFile>();
  const notFound: ReferencePlace[] = [];
  const leftOut: LeftOut[] = [];
  const notTaken: NotTakenFile[] = [];
  const links: DocumentLink[] = [];
  const imports = new Set<string>();
  const pages = new Set<string>();
  const tried = new Set<string>();
  let fileLinks = 0;
  let total = 0;
  let documentBase: string | null = home;

  interface Text {
    readonly path: string;
    readonly found: Found;
  }
  const texts: Text[] = [];

  const placeAt = (path: string): Promise<Place> => options.source.at(path, document.path);

  /** Null where the alias stands for none: then it is a module that every document can import, or the service names it. */
  async function importedPath(from: string, specifier: string): Promise<string | null> {
    const alias = afterAlias(specifier);
    const starts =
      alias === null ? [from] : [home, options.folder].flatMap((root) => sourceFolders.map((one) => joined(root, one)));
    for (const start of starts)
      for (const path of importCandidates(joined(start, alias ?? specifier)))
        if ((await placeAt(path)).kind === "file") return path;
    return alias === null ? joined(from, specifier) : null;
  }

  async function followGlob(glob: ImportGlob, text: Text, at: ReferencePlace): Promise<void> {
    const { globbedPaths, globFolders, isGlob } = await import("../import-glob.ts");
    if (!isGlob(glob)) return;
    const place = { folder: folderOf(text.path), roots: [...new Set([options.folder, home])] };
    const listed = await Promise.all(globFolders(glob, place).map((folder) => options.source.list(folder)));
    const found = new Set(globbedPaths(glob, place, new Set(listed.flat())).values());
    for (const own of [text.path, document.path]) found.delete(own);
    if (found.size === 0) notFound.push(at);
    for (const path of found) {
      imports.add(path);
      if (!files.has(path)) await take(path, "import", { ...at, url: pathFrom(home, path) });
    }
  }

  async function follow(reference: Reference, text: Text): Promise<void> {
    const { url, line, use } = reference;
    const file = text.path === document.path ? null : pathFrom(home, text.path);
    const at: ReferencePlace = { url, line, file };
    if (reference.glob !== undefined) return followGlob(reference.glob, text, at);
    const path = relativePath(url);
    if (path === null) {
      if (!isRooted(url) || use === "mention" || placeholderImage(url) !== null) return;
      if (use === "link") links.push({ ...at, target: null });
      else leftOut.push({ ...at, reason: leftOutReasons.rooted, isLink: false });
      return;
    }
    const base = text.path === document.path || reference.from === "document" ? documentBase : folderOf(text.path);
    if (base === null) return;
    const target = use === "import" ? await importedPath(base, path) : joined(base, path);
    if (target === null) return;
    if (use === "import") imports.add(target);
    if (use === "load" && target !== document.path && inferType(target) === "html") pages.add(target);
    if (use === "mention" && !isMentionable(target)) return;
    if (use === "link") {
      if (target === document.path) return;
      if (isDocumentLink(target, document, options.documents)) return void links.push({ ...at, target });
    }
    if (files.has(target)) {
      if (use === "link") fileLinks++;
      return;
    }
    const key = `${target}\0${use === "mention"}`;
    if (tried.has(key) && use !== "link") return;
    tried.add(key);
    await take(target, use, at);
  }

  async function take(target: string, use: Reference["use"], at: ReferencePlace): Promise<void> {
    const place = await placeAt(target);
    if (place.kind === "folder" || (place.kind === "missing" && use === "link")) {
      if (use === "link") links.push({ ...at, target });
      else if (use !== "mention") notFound.push(at);
      return;
    }
    if (place.kind === "missing") {
      if (use !== "mention") notFound.push(at);
      return;
    }
    const isLink = use === "link";
    const refuse = (reason: string) => void (use === "mention" || leftOut.push({ ...at, reason, isLink }));
    if (place.kind === "left-out") return refuse(place.reason);
    const added = await add(target, place);
    if (typeof added === "string") return refuse(added);
    if (use === "link") fileLinks++;
    if (document.type !== "md") texts.push({ path: target, found: added });
  }

  /** Its references, or why the file that is there is left out. */
  async function add(target: string, place: Place & { readonly kind: "file" }): Promise<Found | string> {
    if (mediaTypeOf(target) === null) return leftOutReasons.type;
    if (place.sizeBytes > fileBytes) return leftOutReasons.size;
    if (files.size >= filesLimits.files) return leftOutReasons.count;
    if (total + place.sizeBytes > versionBytes) return leftOutReasons.total;
    const read = await readOnce(place.path, target);
    if (read === null) return leftOutReasons.unreadable;
    const { sha256, sizeBytes, secrets, found } = read;
    total += sizeBytes;
    files.set(target, { path: "", place: place.path, sha256, sizeBytes, secrets });
    return found;
  }

  /** Why a file of the folder is left out; null where it goes along, or is gone since it was listed. */
  async function addUnasked(target: string): Promise<string | null> {
    if (files.has(target) || target === document.path) return null;
    const place = await placeAt(target);
    if (place.kind === "left-out") return place.reason;
    if (place.kind === "folder") return leftOutReasons.folderLink;
    const added = place.kind === "file" ? await add(target, place) : null;
    return typeof added === "string" ? added : null;
  }

  const { referencesIn } = await loadFinder();
  const own = await referencesIn(document.type, document.content);
  if (own.base !== null) documentBase = baseOf(own.base, home);
  texts.push({ path: document.path, found: own });
  // The list grows while it is walked.
  for (const text of texts) for (const reference of text.found.references) await follow(reference, text);

  const asked = new Set(files.keys());
  for (const target of all) {
    const reason = await addUnasked(target);
    if (reason !== null) notTaken.push({ path: pathFrom(home, target), reason });
  }

  const folder = commonFolder(options.folder, [...files.keys()]);
  const kept: DocumentFile[] = [];
  const paths = new Set<string>();
  for (const [target, file] of files) {
    const path = pathFrom(folder, target).normalize("NFC");
    const problem = pathProblem(path) ?? (paths.has(path) ? leftOutReasons.sameName : null);
    paths.add(path);
    if (problem === null) kept.push({ ...file, path });
    else if (asked.has(target))
      leftOut.push({ url: path, line: 1, file: null, reason: `its path ${problem}`, isLink: false });
    else notTaken.push({ path: pathFrom(home, target), reason: `its path ${problem}` });
  }
  return {
    files: kept.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    documentPath: pathFrom(folder, document.path),
    notFound,
    leftOut,
    notTaken,
    links,
    fileLinks,
    imports,
    pages,
  };
}

/** The folder of the document's `<base>`; null where it is of another site. */
function baseOf(url: string, home: string): string | null {
  const path = relativePath(url);
  if (path !== null) return path.endsWith("/") ? joined(home, path) : folderOf(joined(home, path));
  return /^\s*(?:[#?]|$)/.test(url) ? home : null;
}

/** A text in a script is a path only where a file of a published type is there; pages are linked, not mentioned. */
const isMentionable = (target: string): boolean => mediaTypeOf(target) !== null && inferType(target) === null;

/** A page of a single html document goes with it; what is published itself, and markdown, are documents. */
function isDocumentLink(target: string, document: Document, documents: ReadonlySet<string>): boolean {
  const type = inferType(target);
  if (type === null) return false;
  return documents.has(target) || !(document.type === "html" && type === "html");
}
