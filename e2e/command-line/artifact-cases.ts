// The cases of artifact commands whose words differ from the operation's input.
import type { Fields } from "../harness/call.ts";
import type { CasesOf } from "./cases.ts";
import type { CatalogueCommand } from "./catalogue.ts";
import { operationCases } from "./operation-cases.ts";
import { inFlags, longestWord, type Said } from "./words.ts";

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** Each edit as a pair of flags; an edit that is too long for a word is a body on standard input. */
function edited(command: CatalogueCommand, { edits, ...rest }: Fields): Said {
  const given = edits as readonly Edit[];
  const { words } = inFlags(command, rest);
  if (given.some(({ newText }) => newText.length > longestWord))
    return { words: [...words, "--json", "-"], stdin: JSON.stringify({ edits }) };
  return {
    words: [...words, ...given.flatMap(({ oldText, newText }) => [`--replace=${oldText}`, `--with=${newText}`])],
  };
}

export const editCases: CasesOf = operationCases("version.edit", {
  say: edited,
  invalid: { changelog: "a".repeat(2_001) },
});

/** There is no browser, so only the URL is printed. */
const opened = (_command: CatalogueCommand, { artifactId }: Fields): Said => ({
  words: ["artifact", "open", `--artifact-id=${String(artifactId)}`],
});

export const openCases: CasesOf = operationCases("artifact.get", { say: opened });
