// The check of citations: each reference document, section and decision that the code or a document cites exists, and
// each link between the documents of the repository resolves. Plain Bun; it reads files and runs nothing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { dirname, normalize } from "node:path/posix";

import { root } from "./step.ts";

/** The files of a checkout, by their path below its root. */
export interface Sources {
  readonly texts: ReadonlyMap<string, string>;
  /** Whether a file or folder exists, of any kind. */
  readonly exists: (path: string) => boolean;
}

/** The position of a fault in a file, and its message. */
interface Fault {
  readonly at: number;
  readonly message: string;
}

const referenceFolder = "docs/reference/";
const decisionFolder = "docs/decisions/";

/** The faults of the whole checkout, a line for each: `path:line: message`. */
export function citationFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of sources.texts) {
    const flat = withoutBreaks(text);
    const found = [
      ...referenceFaults(flat, sources),
      ...looseFaults(flat),
      ...decisionFaults(flat, sources),
      ...numberFaults(flat),
      ...(isDocument(path) ? linkFaults(path, text, sources) : commentFaults(text, sources)),
    ];
    for (const { at, message } of found.toSorted((one, other) => one.at - other.at))
      faults.push(`${path}:${text.slice(0, at).split("\n").length}: ${message}`);
  }
  return faults;
}

/** Replaces line breaks, with the comment mark after them, by spaces. The length stays the same. */
const withoutBreaks = (text: string): string =>
  text.replaceAll(/\n[ \t]*(?:(?:\/\/|\*|#|--)[ \t])?/g, (broken) => " ".repeat(broken.length));

const citation = /docs\/reference\/[\w-]+\.md/g;
const decisionCitation = /docs\/decisions\/[\w-]+\.md/g;
/** After a document, or after another section of it. */
const nextSection = /[ ,;]*(?:and )?§(\d+)/y;
/** After a section or a record: its heading or row. */
const nextName = /(?:,| and)? +"([^"]+)"/y;

type Read = (pattern: RegExp) => string | undefined;

/** Checks each document that the pattern finds: that it exists, and what follows its citation. */
function citedFaults(
  flat: string,
  pattern: RegExp,
  { texts }: Sources,
  messagesOf: (document: string, text: string, read: Read) => string[],
): Fault[] {
  return [...flat.matchAll(pattern)].flatMap(({ 0: document, index: at }) => {
    const text = texts.get(document);
    const messages =
      text === undefined
        ? [`there is no ${document}`]
        : messagesOf(document, withoutFences(text), reader(flat, at + document.length));
    return messages.map((message) => ({ at, message }));
  });
}

/** Checks citations of reference documents, which have one form: `docs/reference/contract.md §2, "Errors"`. */
const referenceFaults = (flat: string, sources: Sources): Fault[] =>
  citedFaults(flat, citation, sources, (document, text, read) => {
    const messages: string[] = [];
    const sections = sectionsOf(text);
    for (let number = read(nextSection); number !== undefined; number = read(nextSection)) {
      const section = sections.get(number);
      if (section === undefined) messages.push(`${document} has no section ${number}`);
      for (const name of namesAfter(read))
        if (section !== undefined && !namesIn(section).has(name))
          messages.push(`${document} §${number} has no heading or row "${name}"`);
    }
    return messages;
  });

/** Matches sticky patterns from a position, each after the previous match. */
function reader(flat: string, start: number): Read {
  let from = start;
  return (pattern) => {
    pattern.lastIndex = from;
    const match = pattern.exec(flat);
    if (match !== null) from = pattern.lastIndex;
    return match?.[1];
  };
}

/** The quoted names that follow. A name that was broken over lines gets single spaces again. */
function namesAfter(read: Read): string[] {
  const names: string[] = [];
  for (let name = read(nextName); name !== undefined; name = read(nextName)) names.push(name.replaceAll(/ +/g, " "));
  return names;
}

/** The numbered sections of a reference document: `## 2. Requests`, up to the next one. */
function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^## (?=\d+\. )/m).slice(1);
  return new Map(parts.map((part) => [/^\d+/.exec(part)?.[0] ?? "", part]));
}

/** The names in a section that can be cited: its headings, and the first cells of its tables. */
const namesIn = (section: string): ReadonlySet<string> =>
  new Set(
    [...section.matchAll(/^(?:### (.+)|\| *`?([^|`]+?)`? *\|)/gm)].map(([, heading, cell = ""]) => heading ?? cell),
  );

/**
 * A name with a number but without a path leads to no file. Only the text of a link, which has a target, may have that
 * form.
 */
function looseFaults(flat: string): Fault[] {
  return [...flat.matchAll(/(?<![\w/.[-])(contract|security|experience)(?:\.md)?,? +§? ?(\d)(?![\d\w])/gi)].map(
    ({ 0: cited, 1: name = "", 2: number, index: at }) => ({
      at,
      message: `"${cited.replaceAll(/ +/g, " ")}" is cited as ${referenceFolder}${name.toLowerCase()}.md §${number}`,
    }),
  );
}

/**
 * Checks citations of decisions: the record of a topic and a heading in it, `docs/decisions/jobs.md, "Requests come
 * before jobs"`.
 */
const decisionFaults = (flat: string, sources: Sources): Fault[] =>
  citedFaults(flat, decisionCitation, sources, (document, text, read) => {
    const headings = new Set([...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading));
    return namesAfter(read)
      .filter((name) => !headings.has(name))
      .map((name) => `${document} has no heading "${name}"`);
  });

/** Decisions have no numbers: a number leads to no file. */
function numberFaults(flat: string): Fault[] {
  return [...flat.matchAll(/\bdecisions? +\d{4}(?!\d)|docs\/decisions\/\d{4}/gi)].map(({ 0: cited, index: at }) => ({
    at,
    message: `"${cited.replaceAll(/ +/g, " ")}" is cited as ${decisionFolder}<topic>.md, "<heading>"`,
  }));
}

/** Checks documents that a comment names. A path in a string of a test is usually a fixture. */
function commentFaults(text: string, { exists }: Sources): Fault[] {
  const named = /^[ \t]*(?:\/\/|\/?\*|#|--|<!--).*$/gm;
  return [...text.matchAll(named)].flatMap(({ 0: line, index: start }) =>
    [...line.matchAll(/(?<![\w/.-])docs\/(?!reference\/|decisions\/)[\w/-]+\.md\b/g)]
      .filter(([path]) => !exists(path))
      .map(({ 0: path, index }) => ({ at: start + index, message: `there is no ${path}` })),
  );
}

/** The documents of the repository, whose links are checked; the product publishes the other markdown files. */
const isDocument = (path: string): boolean => /^(?:[^/]+|docs\/.+)\.md$/.test(path);

const links = [
  /(?<=\]\()<?([^)\s<>]+)>?(?:\s+"[^"]*")?(?=\))/g,
  /(?<=^\[[^\]]+\]: +)(\S+)/gm,
  /(?<=\b(?:src|srcset|href)=")([^"]+)(?=")/g,
];

function linkFaults(path: string, text: string, sources: Sources): Fault[] {
  const prose = withoutCode(text);
  return links
    .flatMap((pattern) => [...prose.matchAll(pattern)])
    .flatMap(({ 1: link = "", index: at }) => {
      const message = brokenLink(path, link, sources);
      return message === null ? [] : [{ at, message }];
    });
}

/** Why a link is broken; null where it resolves, or leaves the repository. */
function brokenLink(from: string, link: string, { texts, exists }: Sources): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(link)) return null;
  const [file = "", anchor] = link.split("#", 2);
  const path = file === "" ? from : normalize(join(dirname(from), decodeURI(file))).replace(/\/$/, "");
  if (file !== "" && !texts.has(path) && !exists(path)) return `the link to ${link} leads to no file`;
  const target = texts.get(path);
  if (anchor === undefined || target === undefined || !path.endsWith(".md")) return null;
  return anchorsOf(target).has(anchor) ? null : `the link to ${link} leads to no heading`;
}

/** The anchors that GitHub generates for headings, and those that a document sets itself. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id));
  const used = new Map<string, number>();
  for (const [, heading = ""] of withoutFences(text).matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-");
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}

/** Replaces a text by spaces, so that positions and lines stay. */
export const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");

/** Blanks fenced code, which has no headings, no links and no prose. */
export const withoutFences = (text: string): string =>
  text.replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2 *$/gm, blank);

const withoutCode = (text: string): string => withoutFences(text).replaceAll(/(`+)[^`\n]+\1/g, blank);

const readKinds: ReadonlySet<string> = new Set([".ts", ".tsx", ".svelte", ".css", ".sql", ".md", ".sh", ".yaml"]);
/** Folders with third-party or generated files, at any depth. */
const passedOver: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "data"]);

/** Reads the texts of a checkout. */
export function readSources(checkout: string): Sources {
  const texts = new Map<string, string>();
  const read = (folder: string): void => {
    for (const entry of readdirSync(join(checkout, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!passedOver.has(entry.name) && !entry.name.startsWith(".")) read(path);
      } else if (entry.isFile() && readKinds.has(extname(entry.name))) {
        texts.set(path, readFileSync(join(checkout, path), "utf8"));
      }
    }
  };
  read("");
  return { texts, exists: (path) => existsSync(join(checkout, path)) };
}

if (import.meta.main) {
  const faults = citationFaults(readSources(root));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
