// The files that go with a document, followed from its references through style sheets, scripts and pages, and the links
// that lead to other documents. Says what is not there and what is left out. Sends nothing.
import { dirname, join } from "node:path";

import { filesLimits } from "@plinth/contract/limits";
import { pathProblem } from "@plinth/contract/publishing/file-path";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import { inferType } from "@plinth/contract/publishing/inference";
import { likelySecrets, type LikelySecret } from "@plinth/contract/publishing/likely-secrets";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { readFileBounded } from "../files/bounded-read.ts";
import { digestOf } from "../files/digest.ts";
import type { Found } from "../references/find.ts";
import { isRooted, relativePath, type Reference } from "../references/reference.ts";
import { allowedPlaces, commonFolder, isInside, posixBelow, type AllowedPlaces } from "./allowed-place.ts";

export interface DocumentFile {
  /** Its path among the files of the version. */
  readonly path: string;
  /** The real path on this machine. */
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

/** A link to another document, a folder, or a place where nothing is. */
export interface DocumentLink extends ReferencePlace {
  /** The absolute path that it leads to; null for a path from the root of a site. */
  readonly target: string | null;
}

export interface DocumentFiles {
  readonly files: readonly DocumentFile[];
  /** Where the document is among its files. */
  readonly documentPath: string;
  readonly notFound: readonly ReferencePlace[];
  readonly leftOut: readonly LeftOut[];
  readonly links: readonly DocumentLink[];
  /** Links to files that go with the document. */
  readonly fileLinks: number;
  /** The absolute paths of the modules that it imports. */
  readonly imports: ReadonlySet<string>;
}

export interface Document {
  /** Absolute. */
  readonly path: string;
  readonly type: ArtifactType;
  readonly content: string;
}

export interface CollectorOptions {
  /** Files outside it are left out. */
  readonly root: string;
  /** The pushed folder or the folder of the document, in the root. Paths of files begin here where all are in it. */
  readonly folder: string;
  /** The absolute paths of the documents that are pushed: links to them are links between documents. */
  readonly pushed: ReadonlySet<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Collector {
  collect(document: Document): Promise<DocumentFiles>;
}

/** Files that several documents refer to are read once. */
export async function createCollector(options: CollectorOptions): Promise<Collector> {
  const places = await allowedPlaces(options.root, options.folder, options.env);
  const read = new Map<string, Promise<ReadFile>>();
  const readOnce = (path: string): Promise<ReadFile> => {
    const known = read.get(path) ?? readFile(path);
    read.set(path, known);
    return known;
  };
  return { collect: (document) => collect(document, options, places, readOnce) };
}

const { fileBytes, versionBytes } = filesLimits;
const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;

/** A file with what it refers to; null where it is too large or cannot be read. */
type ReadFile = (Omit<DocumentFile, "path" | "place"> & { readonly found: Found }) | null;

const none: Found = { references: [], base: null };

const isText = (mediaType: string): boolean => /^text\/|json|xml|javascript|svg/.test(mediaType);

async function readFile(path: string): Promise<ReadFile> {
  const bytes = await readFileBounded(path, fileBytes).catch(() => null);
  if (bytes === null || "tooLarge" in bytes) return null;
  const { referencesIn, textKindOf } = await loadFinder();
  const kind = textKindOf(path);
  const text = isText(mediaTypeOf(path) ?? "") ? new TextDecoder().decode(bytes) : "";
  const found = kind === null || kind === "md" ? none : await referencesIn(kind, text);
  return { ...digestOf(bytes), secrets: likelySecrets(text), found };
}

const loadFinder = () => import("../references/find.ts");

/** Extensions that an import may leave out, the most usual first. */
const importEndings = ["", ".jsx", ".tsx", ".js", ".ts", ".json", "/index.jsx", "/index.tsx", "/index.js", "/index.ts"];

async function collect(
  document: Document,
  options: CollectorOptions,
  places: AllowedPlaces,
  readOnce: (path: string) => Promise<ReadFile>,
): Promise<DocumentFiles> {
  const home = dirname(document.path);
  const files = new Map<string, DocumentFile>();
  const notFound: ReferencePlace[] = [];
  const leftOut: LeftOut[] = [];
  const links: DocumentLink[] = [];
  const imports = new Set<string>();
  const tried = new Set<string>();
  let fileLinks = 0;
  let total = 0;
  let keepsIgnored: boolean | null = null;
  let documentBase: string | null = home;

  interface Text {
    readonly path: string;
    readonly found: Found;
  }
  const texts: Text[] = [];

  /** A document that git ignores was named by the user, so its files may be ignored too. */
  async function placeAt(path: string) {
    if (keepsIgnored === null) {
      const at = await places.at(document.path, true);
      keepsIgnored = at.kind === "file" && (await places.isIgnored(at.path));
    }
    return places.at(path, keepsIgnored);
  }

  async function importedPath(path: string): Promise<string> {
    for (const ending of importEndings) if ((await placeAt(path + ending)).kind === "file") return path + ending;
    return path;
  }

  async function follow(reference: Reference, text: Text): Promise<void> {
    const { url, line, use } = reference;
    const file = text.path === document.path ? null : posixBelow(home, text.path);
    const at: ReferencePlace = { url, line, file };
    const path = relativePath(url);
    if (path === null) {
      if (!isRooted(url) || use === "mention") return;
      if (use === "link") links.push({ ...at, target: null });
      else leftOut.push({ ...at, reason: "its path begins at the root of a site", isLink: false });
      return;
    }
    const base = text.path === document.path || reference.from === "document" ? documentBase : dirname(text.path);
    if (base === null) return;
    let target = join(base, path);
    if (use === "import") target = await importedPath(target);
    if (use === "import") imports.add(target);
    if (use === "mention" && !isMentionable(target)) return;
    if (use === "link") {
      if (target === document.path) return;
      if (isDocumentLink(target, document, options.pushed)) return void links.push({ ...at, target });
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
    if (mediaTypeOf(target) === null) return refuse("files of its type are not published");
    if (place.sizeBytes > fileBytes) return refuse(`it is larger than ${megabytes(fileBytes)}`);
    if (files.size >= filesLimits.files) return refuse(`a version has at most ${filesLimits.files} files`);
    if (total + place.sizeBytes > versionBytes)
      return refuse(`the files of a version have at most ${megabytes(versionBytes)}`);
    const found = await readOnce(place.path);
    if (found === null) return refuse("it cannot be read");
    total += found.sizeBytes;
    if (use === "link") fileLinks++;
    const { sha256, sizeBytes, secrets } = found;
    files.set(target, { path: "", place: place.path, sha256, sizeBytes, secrets });
    if (document.type !== "md") texts.push({ path: target, found: found.found });
  }

  const { referencesIn } = await loadFinder();
  const own = await referencesIn(document.type, document.content);
  if (own.base !== null) documentBase = baseOf(own.base, home);
  texts.push({ path: document.path, found: own });
  // The list grows while it is walked.
  for (const text of texts) for (const reference of text.found.references) await follow(reference, text);

  const folder = commonFolder(options.folder, [...files.keys()]);
  const kept: DocumentFile[] = [];
  for (const [target, file] of files) {
    const path = posixBelow(folder, target).normalize("NFC");
    const problem = pathProblem(path);
    if (problem === null) kept.push({ ...file, path });
    else leftOut.push({ url: path, line: 1, file: null, reason: `its path ${problem}`, isLink: false });
  }
  return {
    files: kept.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    documentPath: posixBelow(folder, document.path),
    notFound,
    leftOut,
    links,
    fileLinks,
    imports,
  };
}

/** The folder of the document's `<base>`; null where it is of another site. */
function baseOf(url: string, home: string): string | null {
  const path = relativePath(url);
  if (path !== null) return path.endsWith("/") ? join(home, path) : dirname(join(home, path));
  return /^\s*(?:[#?]|$)/.test(url) ? home : null;
}

/** A text in a script is a path only where a file of a published type is there; pages are linked, not mentioned. */
const isMentionable = (target: string): boolean => mediaTypeOf(target) !== null && inferType(target) === null;

/** A page of a single html document goes with it; what is pushed itself, and markdown, are documents. */
function isDocumentLink(target: string, document: Document, pushed: ReadonlySet<string>): boolean {
  const type = inferType(target);
  if (type === null) return false;
  return pushed.has(target) || !(document.type === "html" && type === "html");
}

/** What a document may take its files from: its repository, else the working directory, else its own folder. */
export function rootFor(folder: string, repository: string | null, directory: string): string {
  if (repository !== null) return repository;
  return isInside(folder, directory) ? directory : folder;
}
