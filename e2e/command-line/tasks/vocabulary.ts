// The commands and flags that `schema --compact` lists. Knows no command itself.

/** The flags of each command by its path, global ones under "". */
export type Vocabulary = ReadonlyMap<string, ReadonlySet<string>>;

interface Compact {
  readonly commands: readonly string[];
  readonly globalFlags: string;
  /** Abbreviations, such as `{page}`, and their long forms. */
  readonly notation?: Readonly<Record<string, string>>;
}

/** Reads the output of `schema --compact`. */
export function vocabularyOf(text: string): Vocabulary {
  const { commands, globalFlags, notation = {} } = JSON.parse(text) as Compact;
  const shortened = Object.entries(notation).filter(([sign]) => sign.startsWith("{"));
  const entries = commands.map((short): [string, Set<string>] => {
    const usage = shortened.reduce((longer, [sign, meaning]) => longer.replaceAll(sign, meaning), short);
    const path = /^[a-z-]+(?: [a-z][a-z-]*)*/.exec(usage)?.[0] ?? "";
    return [path, flagsIn(usage)];
  });
  // Every program has --help, so that the schema does not spend words on it.
  const listed = new Map([...entries, ["", flagsIn(`${globalFlags} --help`)]]);
  return new Map([...listed, ...shortForms(notation["short"] ?? "", listed)]);
}

/** `ls get = artifact list get`: each word on the left is the command on the right, in order. */
function shortForms(notation: string, listed: Vocabulary): [string, ReadonlySet<string>][] {
  const [shorts = [], [group = "", ...names] = []] = notation.split(" = ").map((side) => side.split(" "));
  return shorts.flatMap((short, at): [string, ReadonlySet<string>][] => {
    const flags = listed.get(`${group} ${names[at] ?? ""}`);
    return flags === undefined ? [] : [[short, flags]];
  });
}

/** `--[no-]public-view` is two flags. */
function flagsIn(usage: string): Set<string> {
  const found = [...usage.matchAll(/--(\[no-\])?([a-z-]+)/g)];
  return new Set(found.flatMap(([, negated, name]) => (negated ? [`--${name}`, `--no-${name}`] : [`--${name}`])));
}

/** @throws Error if a line has a command or flag that is not listed */
export function understands(vocabulary: Vocabulary, words: readonly string[]): void {
  const path = [3, 2, 1].map((length) => words.slice(0, length).join(" ")).find((start) => vocabulary.has(start));
  if (path === undefined) throw new Error(`The schema lists no command for: ${words.join(" ")}`);
  for (const word of words) {
    const flag = /^--[a-z-]+/.exec(word)?.[0];
    if (flag === undefined || vocabulary.get(path)?.has(flag) || vocabulary.get("")?.has(flag)) continue;
    throw new Error(`The schema lists no ${flag} for ${path}`);
  }
}
