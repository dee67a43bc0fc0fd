// Places in a jsx source and what is wrong there.

/** An import of a module that there is not. */
interface UnknownImport {
  /** As it is written, cut where it is long. */
  readonly module: string;
  /** The nearest module, where one is near. */
  readonly suggestion: string | null;
}

interface Problem {
  message: string;
  unknownImport?: UnknownImport;
}

/** Line and column count from 1; columns are UTF-16 units, as editors count them. */
export interface JsxProblem extends Problem {
  line: number;
  column: number;
  /** The path of the file beside the document where it is; missing of the document. */
  file?: string;
}

/** A thing found at an offset of the source. */
export interface Finding extends Problem {
  at: number;
}

export const mostProblems = 20;
/** Characters of a message: it may quote a name of the source, and a name may be as long as its author likes. */
const MAX_MESSAGE = 2_000;

/** Turns offsets into lines and columns, in the order of the source, the first 20 of them. */
export function locate(source: string, findings: Finding[]): JsxProblem[] {
  return findings
    .sort((a, b) => a.at - b.at)
    .slice(0, mostProblems)
    .map(({ at, message, ...rest }) => ({ ...placeOf(source, at), message: cut(message), ...rest }));
}

export function placeOf(source: string, at: number): { line: number; column: number } {
  const before = source.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const cut = (message: string): string =>
  message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message;
