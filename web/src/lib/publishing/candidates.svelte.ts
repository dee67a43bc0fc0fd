// The documents that a publish page has been given, with the files that go with them, and what is left out. Documents that
// are parts of others (docs/command-line.md, `plinth push`) are files of those.
import { indexPage } from "@plinth/contract/publishing/file-place";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import { knownExtensions, inferType } from "@plinth/contract/publishing/document-type";
import type { Dropped } from "#lib/dropped-files.ts";
import { isPasted, numbered } from "#lib/pasted-file.ts";
import { documentFilesTexts } from "#messages/document-files.ts";
import { formats } from "#messages/formats.ts";
import { publishingTexts } from "#messages/publishing.ts";
import { Candidate } from "./candidate.svelte.ts";
import { listFiles, listLimits, type ListedFiles } from "./listed-files.ts";
import { textOf } from "./text-of.ts";

/** Documents of one page; a larger folder is the command line's. */
const documentsMax = 100;

export class Candidates {
  /** In the order in which they came, without parts of others. */
  list = $state.raw<readonly Candidate[]>([]);
  /** Files that cannot be published, and why. */
  refused = $state.raw<readonly string[]>([]);
  /** Files and folders that are left out, and why. */
  notes = $state.raw<readonly string[]>([]);
  isLooking = $state(false);
  /** Whether a folder with an index page is one document with all of its files; null where there is no such folder. */
  asOne = $state<boolean | null>(null);
  /** By path. */
  files: ReadonlyMap<string, File> = new Map();

  #loose: ReadonlySet<string> = new Set();

  readonly #maxBytes: number;
  #all: readonly Candidate[] = [];
  #skippings: readonly string[] = [];
  #next = 0;
  /** Drops are taken one after another. */
  #last: Promise<void> = Promise.resolve();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(dropped: readonly Dropped[]): Promise<void> {
    if (dropped.length === 0) return this.#last;
    this.isLooking = true;
    const turn = this.#inTurn(async () => {
      const named = dropped.map((one) =>
        one instanceof File && isPasted(one.name) ? numbered(one, (name) => this.files.has(name)) : one,
      );
      const listed = await listFiles(named, this.files.size > 0);
      this.files = new Map([...this.files, ...listed.files]);
      this.#loose = new Set([...this.#loose, ...listed.loose]);
      this.#skippings = [...new Set([...this.#skippings, ...skippingsOf(listed)])];
      const isFirst = this.#all.length === 0;
      if (isFirst) this.asOne = listed.hasFolder && listed.files.has(indexPage) ? true : null;
      // What comes later goes along with the folder that is one document.
      if (isFirst || this.asOne !== true) await this.#read(listed, this.asOne === true);
      await this.#findFiles();
    });
    return turn.finally(() => (this.isLooking = this.#last !== turn));
  }

  /** A document that is left out can be a file of another one. */
  remove(candidate: Candidate): Promise<void> {
    this.#all = this.#all.filter((one) => one !== candidate);
    this.list = this.list.filter((one) => one !== candidate);
    return this.#inTurn(() => this.#findFiles());
  }

  /** Publishes the folder as one document, or each of its documents by itself. */
  regard(asOne: boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (this.asOne === null || this.asOne === asOne) return;
      this.asOne = asOne;
      this.#all = [];
      await this.#read({ files: this.files, hasFolder: true }, asOne);
      await this.#findFiles();
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work).catch((cause: unknown) => {
      this.refused = [publishingTexts().notRead];
      reportError(cause);
    });
    return this.#last;
  }

  async #read({ files, hasFolder }: Pick<ListedFiles, "files" | "hasFolder">, asOne: boolean): Promise<void> {
    const documents = [...files].filter(([path]) => (asOne ? path === indexPage : inferType(path) !== null));
    const text = publishingTexts();
    const wrong: string[] = [];
    if (documents.length === 0 && hasFolder)
      wrong.push(text.noDocument({ extensions: formats().either(knownExtensions) }));
    // Without a document among them, files are texts to publish, of any name; beside documents, images go with these.
    const isText = (path: string): boolean =>
      this.#all.length === 0 || (mediaTypeOf(path) ?? "text/plain").startsWith("text/plain");
    const texts = documents.length > 0 ? documents : hasFolder ? [] : [...files].filter(([path]) => isText(path));
    const room = documentsMax - this.#all.length;
    if (texts.length > room) wrong.push(text.tooMany({ limit: documentsMax, count: texts.length - room }));
    // Heavy, and not needed before there is a document.
    const [inferred, titles] = await Promise.all([
      import("@plinth/contract/publishing/inference"),
      import("@plinth/contract/publishing/web-title"),
    ]);
    const inference = { ...inferred, ...titles };
    const made: Candidate[] = [];
    for (const [path, file] of texts.slice(0, room)) {
      const read = await textOf(file, this.#maxBytes);
      if ("refused" in read) wrong.push(read.refused);
      else made.push(new Candidate(this.#next++, path, read.text, !asOne && (hasFolder || files.size > 1), inference));
    }
    await Promise.all(made.map((one) => one.suggestSlug()));
    const slugs = Map.groupBy([...this.#all, ...made], ({ slug }) => slug);
    await Promise.all(
      made.filter(({ slug }) => (slugs.get(slug)?.length ?? 0) > 1).map((one) => one.suggestPathSlug()),
    );
    for (const [at, one] of made.entries()) one.separate([...this.#all, ...made.slice(0, at)]);
    this.#all = [...this.#all, ...made];
    this.refused = wrong;
  }

  async #findFiles(): Promise<void> {
    const all = this.#all;
    if (all.length === 0) this.asOne = null;
    if (!isSecureContext || all.length === 0) {
      this.list = all;
      this.notes = all.length === 0 ? [] : [...this.#skippings, ...this.#withoutHashes()];
      return;
    }
    const [{ filesWith }, { partsAmong }] = await Promise.all([
      import("./listed-source.ts"),
      import("@plinth/contract/publishing/references/parts"),
    ]);
    const whole = this.asOne === true ? [...this.files.keys()].toSorted() : [];
    const found = await filesWith({ files: this.files, loose: this.#loose }, all, undefined, whole);
    for (const [at, candidate] of all.entries()) candidate.found = found[at] ?? null;
    const parts = partsAmong(new Map(all.flatMap(({ path, found }) => (found === null ? [] : [[path, found]]))));
    // A document that was removed while its files were looked for stays away.
    this.list = all.filter((one) => this.#all.includes(one) && !parts.has(one.path));
    this.notes = [...this.#skippings, ...this.#unused()];
  }

  #withoutHashes(): string[] {
    return this.files.size > this.#all.length ? [documentFilesTexts().needsHttps] : [];
  }

  /** Files that no document refers to. */
  #unused(): string[] {
    if (this.asOne === true) return [];
    const used = new Set(
      this.list.flatMap(({ path, found }) => [path, ...(found?.files ?? []).map(({ place }) => place)]),
    );
    const unused = [...this.files.keys()].filter((path) => !used.has(path) && inferType(path) === null);
    if (unused.length === 0) return [];
    const [named, more] = [unused.slice(0, 5).join(", "), unused.length - 5];
    const text = publishingTexts();
    const names = more > 0 ? text.andMore({ names: named, count: more }) : named;
    return [text.unused({ count: unused.length, names })];
  }
}

function skippingsOf({ skipped, isCut }: ListedFiles): string[] {
  const text = publishingTexts();
  const named = skipped.slice(0, 10).join(", ");
  const names = skipped.length > 10 ? text.andMore({ names: named, count: skipped.length - 10 }) : named;
  return [
    ...(skipped.length > 0 ? [text.hidden({ names })] : []),
    ...(isCut ? [text.onlyFirst({ count: listLimits.files })] : []),
  ];
}
