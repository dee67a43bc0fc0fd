// The result and failure of a push from the outcome of each file (docs/reference/experience.md §2, "push"), and `--open`.
import type { FieldError } from "@plinth/contract/errors";
import type { LeftOut, NotTakenFile, ReferencePlace } from "@plinth/contract/publishing/references/collect";
import { onceEach } from "@plinth/contract/publishing/references/parts";

import type { Context } from "../command/context.ts";
import { Failure, ownFailure } from "../failure/failure.ts";
import type { Result } from "../output/print.ts";
import { oneLine } from "../terminal/style.ts";
import type { Outcome } from "./publish-all.ts";
import type { Pushed } from "./publish.ts";
import type { Push } from "./push.ts";
import { fileSize } from "../output/formatting.ts";
import type { LinkReport } from "./links.ts";

/** For programs; left out where there are none. */
interface Findings {
  readonly notFound?: readonly ReferencePlace[];
  readonly leftOut?: readonly Omit<LeftOut, "isLink">[];
  readonly notTaken?: { readonly count: number; readonly files: readonly NotTakenFile[] };
}

/** Lines of one kind; the others are counted. */
const linesMax = 20;

function findingsOf({ found }: Push): Findings {
  const notFound = onceEach(found?.notFound ?? []);
  const leftOut = onceEach(found?.leftOut ?? []).map(({ isLink: _isLink, ...rest }) => rest);
  const notTaken = found?.notTaken ?? [];
  return {
    ...(notFound.length > 0 && { notFound }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(notTaken.length > 0 && { notTaken: { count: notTaken.length, files: notTaken } }),
  };
}

/** Before anything is sent, of each folder that is one document: what goes with it, and what stays behind. */
export function folderLines(pushes: readonly Push[]): string[] {
  return pushes.flatMap(({ file, source, found }) => {
    if (file.whole === undefined || found === undefined) return [];
    const { files, notTaken } = found;
    const sizeBytes = files.reduce((sum, one) => sum + one.sizeBytes, 0);
    const name = oneLine(source.name);
    return [
      `${name} is one document with all files of its folder: ${counted(files.length, "file")} (${fileSize(sizeBytes)})`,
      ...(notTaken.length === 0
        ? []
        : [`${counted(notTaken.length, "file or folder", "files or folders")} not taken:`]),
      ...bounded(notTaken.map(({ path, reason }) => `  ${oneLine(path)}: ${reason}`)),
    ];
  });
}

/** Files beside an index page that no text names. */
function unnamedLines({ file, source, found }: Push): string[] {
  const names = (found?.notTaken ?? []).map(({ path }) => oneLine(path));
  if (file.whole !== undefined || names.length === 0) return [];
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  const [what, them] = names.length === 1 ? ["1 file was", "it"] : [`${names.length} files were`, "them"];
  const way = file.within === null ? "--all-files takes" : "without -r the folder takes";
  return [
    `${what} not taken, as nothing in ${oneLine(source.name)} names ${them}: ${names.slice(0, 5).join(", ")}${more} ` +
      `(${way} ${them})`,
  ];
}

/** Of one document: "3 files with it (120 KiB, 1 uploaded)", and what is missing. */
export function linesOfOne(
  push: Push,
  { files, suggestedTitle, url }: Pick<Pushed, "files" | "suggestedTitle" | "url">,
): string[] {
  const { notFound = [], leftOut = [] } = findingsOf(push);
  const placeOf = ({ line, file }: ReferencePlace) => `${file === null ? "" : `${oneLine(file)}, `}line ${line}`;
  return [
    ...(suggestedTitle === undefined
      ? []
      : [
          `It calls itself "${oneLine(suggestedTitle)}", and is titled by its file's name; to change that: ` +
            `plinth artifact patch ${oneLine(url)} --title ${quoted(suggestedTitle)}`,
        ]),
    ...(files === undefined ? [] : [`${counted(files.count, "file")} with it (${sizeAndUploads(files)})`]),
    ...bounded(notFound.map((place) => `not found: ${oneLine(place.url)} (${placeOf(place)})`)),
    ...bounded(leftOut.map((place) => `left out: ${oneLine(place.url)} (${placeOf(place)}): ${place.reason}`)),
    ...unnamedLines(push),
  ];
}

/** Of several documents. Links of a folder are told by `linkLines`. */
export function linesOfMany(
  pushes: readonly Push[],
  sent: { files: number; bytes: number },
  isFolder: boolean,
): string[] {
  const files = new Map(pushes.flatMap(({ found }) => found?.files ?? []).map((file) => [file.sha256, file]));
  const sizeBytes = [...files.values()].reduce((sum, file) => sum + file.sizeBytes, 0);
  const nameOf = ({ source }: Push, { line, file }: ReferencePlace) =>
    oneLine(file === null ? `${source.name}:${line}` : `${source.name}: ${file}:${line}`);
  const lines = (kind: "notFound" | "leftOut", word: string) =>
    pushes.flatMap((push) =>
      onceEach<ReferencePlace & Partial<LeftOut>>(push.found?.[kind] ?? [])
        .filter(({ isLink }) => !(isFolder && isLink))
        .map(
          (place) => `${nameOf(push, place)}: ${word}: ${oneLine(place.url)}${place.reason ? `: ${place.reason}` : ""}`,
        ),
    );
  return [
    ...(files.size === 0
      ? []
      : [`${counted(files.size, "file")} with them (${sizeAndUploads({ sizeBytes, uploaded: sent.files })})`]),
    ...bounded(lines("notFound", "not found")),
    ...bounded(lines("leftOut", "left out")),
    ...bounded(pushes.flatMap(unnamedLines)),
  ];
}

/** "295 links, 3 broken:", and each of these. */
export function linkLines({ count, broken }: LinkReport): string[] {
  if (count === 0) return [];
  if (broken.length === 0) return [`${counted(count, "link")}, none broken`];
  return [
    `${counted(count, "link")}, ${broken.length} broken:`,
    ...bounded(
      broken.map(
        ({ file, line, url, reason }) => `  ${oneLine(`${file}:${line} → ${url}`)}${reason ? ` (${reason})` : ""}`,
      ),
    ),
  ];
}

/** As one word of a shell. */
const quoted = (text: string): string => `'${oneLine(text).replaceAll("'", "'\\''")}'`;

const counted = (count: number, noun: string, several = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : several}`;

const sizeAndUploads = ({ sizeBytes, uploaded }: { sizeBytes: number; uploaded: number }): string =>
  `${fileSize(sizeBytes)}, ${uploaded} uploaded`;

const bounded = (lines: readonly string[]): string[] =>
  lines.length <= linesMax ? [...lines] : [...lines.slice(0, linesMax), `  and ${lines.length - linesMax} more`];

/** The result of one file alone. @throws Failure */
export function resultOfOne(push: Push, outcome: Outcome): Result {
  if (outcome instanceof Failure) throw inFile(push.source.name, outcome);
  if (outcome === null) throw ownFailure("interrupted", "Nothing was sent");
  return { value: withFindings(push, outcome), text: () => oneLine(outcome.url) };
}

/**
 * The results of those that went through, and the failure that names all others. `more` is said of the folder.
 * @throws Failure where none did
 */
export function resultOfMany(pushes: readonly Push[], outcomes: readonly Outcome[], more: object = {}): Result {
  const results: (Pushed & Findings & { file: string })[] = [];
  const failures: Failure[] = [];
  const errors: FieldError[] = [];
  for (const [place, push] of pushes.entries()) {
    const { source } = push;
    const outcome = outcomes[place] ?? null;
    if (outcome === null) errors.push({ path: source.name, message: "not sent" });
    else if (outcome instanceof Failure) {
      failures.push(outcome);
      errors.push(errorOf(source.name, outcome));
    } else results.push({ file: source.name, ...withFindings(push, outcome) });
  }
  const [first] = failures;
  if (first && results.length === 0 && failures.every(({ exitCode }) => exitCode === first.exitCode))
    throw failures.length === 1 ? first : ofAll(first, errors, pushes.length);
  const failure =
    first &&
    ownFailure("partial_failure", detailOf(errors, pushes.length), {
      errors,
      hint: "Run it again for those; --ensure leaves the others as they are",
      cause: first,
    });
  if (failure && results.length === 0) throw failure;
  return {
    value: { results, ...more },
    items: results,
    text: () => results.map(({ url }) => oneLine(url)).join("\n"),
    ...(failure && { failure }),
  };
}

/** All files failed in one way: the failure of the first, which says of how many it is. */
function ofAll({ problem, next, cause }: Failure, errors: readonly FieldError[], all: number): Failure {
  const isTaken = problem.code === "slug_conflict" && problem.hint?.includes("--ensure");
  const hint = isTaken ? "Add --ensure to publish new versions of what is there" : problem.hint;
  return new Failure(
    { ...problem, detail: detailOf(errors, all), errors: errors.slice(0, 100), ...(hint && { hint }) },
    isTaken ? null : next,
    cause,
  );
}

const withFindings = (push: Push, outcome: Pushed): Pushed & Findings => ({ ...outcome, ...findingsOf(push) });

const detailOf = (errors: readonly FieldError[], all: number): string =>
  errors.length === 1 ? `${errors[0]?.path} was not published` : `${errors.length} of ${all} files were not published`;

/** The fault of the file, with line and column if they are known. */
function errorOf(path: string, { problem }: Failure): FieldError {
  const place = problem.errors?.find(({ line }) => line !== undefined);
  return {
    path,
    message: `${problem.code}: ${problem.detail}`,
    ...(place?.line !== undefined && { line: place.line }),
    ...(place?.column !== undefined && { column: place.column }),
  };
}

/** The failure of a file for a reader who may look at several: its places name the file, not the field it was sent in. */
export function inFile(path: string, { problem, next, cause }: Failure): Failure {
  const errors = problem.errors?.map((error) => (error.line === undefined ? error : { ...error, path }));
  return new Failure({ ...problem, ...(errors && { errors }) }, next, cause);
}

/** Shows the first that was published. The address is on standard output all the same. */
export async function openFirst(outcomes: readonly Outcome[], { io, settings, progress }: Context): Promise<void> {
  const first = outcomes.find((outcome): outcome is Pushed => outcome !== null && !(outcome instanceof Failure));
  if (!first || settings.check) return;
  if (settings.noInput) progress("Not opened: --no-input leaves the browser alone");
  else if (!(await io.openBrowser(first.url))) progress("No browser could be opened");
}
