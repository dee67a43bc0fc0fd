// Why a file of a package is not there.

export type ProblemCode =
  | "package-not-found"
  | "version-not-found"
  | "file-not-found"
  | "no-integrity"
  | "wrong-integrity"
  | "invalid-answer"
  | "invalid-archive"
  | "too-large"
  | "registry-refused"
  | "registry-unreachable"
  | "registry-off"
  | "too-many"
  | "unsupported"
  /** A file that was beside the document. */
  | "not-published";

/** What another attempt may change: the registry's state, and not the document's or the package's. */
const passing = new Set<ProblemCode>(["registry-unreachable", "wrong-integrity", "invalid-answer"]);

export class PackageProblem extends Error {
  override readonly name = "PackageProblem";
  constructor(
    readonly code: ProblemCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** For a package that was not asked for, because the time of this attempt was over. */
export const tooLate = (): PackageProblem =>
  new PackageProblem("registry-unreachable", "The packages before it took too long");

export const mayPass = (code: ProblemCode): boolean => passing.has(code);
