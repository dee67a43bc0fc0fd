// The commit-msg hook: checks the form of a commit subject. It can't check that a subject is an imperative.
import { readFileSync } from "node:fs";

const maxLength = 72;

/** Subjects that git writes. */
const writtenByGit = /^(Merge |Revert "|Reapply "|fixup! |squash! |amend! )/;

/** The subject of a commit message in git's file, which includes the editor's comments. */
export const subjectOf = (message: string): string =>
  message
    .split("\n")
    .find((line) => line.trim() !== "" && !line.startsWith("#"))
    ?.trim() ?? "";

/** The faults of a subject, one sentence for each. Git itself refuses an empty message. */
export function faultsOf(subject: string): string[] {
  if (subject === "" || writtenByGit.test(subject)) return [];
  const { length } = [...subject];
  return [
    ...(length > maxLength ? [`It has ${length} characters; ${maxLength} are allowed.`] : []),
    ...(subject.endsWith(".") ? ["It ends with a full stop."] : []),
    ...(/^\p{Lu}/u.test(subject) ? [] : ["It doesn't start with a capital letter."]),
  ];
}

if (import.meta.main) {
  const subject = subjectOf(readFileSync(process.argv[2] ?? "", "utf8"));
  const faults = faultsOf(subject);
  if (faults.length > 0) {
    console.error(`plinth: the commit subject is refused: ${subject}\n${faults.join("\n")}`);
    process.exitCode = 1;
  }
}
