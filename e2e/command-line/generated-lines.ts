// Generates malformed lines for the command line: flags that are unknown, misspelt, repeated or without a value, `--`
// anywhere, and empty, very long and foreign words. Made from the catalogue of the tested build. Sends nothing.
import * as fc from "fast-check";

/** The part of `plinth schema` from which lines are made. */
export interface Catalogue {
  readonly exitCodes: Readonly<Record<string, string>>;
  readonly globalFlags: readonly FlagEntry[];
  readonly commands: readonly {
    readonly path: string;
    readonly flags: readonly FlagEntry[];
    readonly examples: readonly string[];
  }[];
}

interface FlagEntry {
  readonly name: string;
  readonly type: string;
  readonly values: readonly string[] | null;
}

export interface Line {
  readonly words: readonly string[];
  /** Used as a token's value; no output can contain it. */
  readonly secret: string;
}

/** Left out, because they print stack traces or wait for input. */
const leftOut = new Set(["--debug", "--watch"]);

const foreign = [
  ...["", " ", "-", "--", "---", "--=", "-x", "--no-", "=", "__proto__", "constructor", "--__proto__", "%s%n"],
  ...["--constructor=1", "ä", "名前", "👩‍👩‍👧", "\u202Etxt.exe", "\u001B[31m", "a\nb", "'\"$(id)`"],
  "x".repeat(50_000),
  `--${"y".repeat(20_000)}`,
];
const values = [
  ...["1", "-1", "0", "999999999999999999999", "NaN", "{", "{}", "null", "[]", "@missing.json", "@", "-", ".", "/"],
  ...["report.md", "missing.md", "art_01jd8w3c5t7k9m2n4p6q8r0s1v", "2026-13-45", "http://127.0.0.1:1"],
  "not an address",
];

/** Any line for this catalogue. */
export function lines({ commands, globalFlags }: Catalogue): fc.Arbitrary<Line> {
  const value = fc.oneof(
    fc.constantFrom(...values),
    fc.constantFrom(...foreign),
    fc.string({ unit: "binary" }).map(withoutNul),
  );
  const piecesOf = (flags: readonly FlagEntry[]) => {
    const flag = fc.constantFrom(...flags.filter(({ name }) => !leftOut.has(name)));
    return fc.oneof(
      { weight: 4, arbitrary: fc.tuple(flag, value).map(given) },
      {
        weight: 1,
        arbitrary: fc.tuple(flag, value).map(([entry, text]) => [...given([entry, text]), ...given([entry, text])]),
      },
      { weight: 2, arbitrary: flag.map(({ name }) => [name]) },
      { weight: 1, arbitrary: flag.map(({ name }) => [`${name}=`]) },
      { weight: 2, arbitrary: fc.tuple(flag, fc.nat()).map(([{ name }, place]) => [misspelt(name, place)]) },
      { weight: 1, arbitrary: value.map((text) => [text]) },
    );
  };
  const anyFlags = [...globalFlags, ...commands.flatMap(({ flags }) => flags)];
  const known = fc.constantFrom(...commands).chain(({ path, flags }) =>
    fc.record({
      before: fc.array(piecesOf(globalFlags), { maxLength: 2 }),
      command: fc.constant(path.split(" ")),
      after: fc.array(piecesOf([...flags, ...globalFlags]), { maxLength: 5 }),
    }),
  );
  // Examples are correct, so some of the lines get past their flags.
  const right = fc
    .constantFrom(...commands)
    .chain(({ examples }) => fc.constantFrom(...examples))
    .chain((example) =>
      fc.record({
        before: fc.constant([]),
        command: fc.constant(wordsOf(example)),
        after: fc.array(piecesOf(globalFlags), { maxLength: 1 }),
      }),
    );
  const unknown = fc.record({
    before: fc.array(piecesOf(globalFlags), { maxLength: 2 }),
    command: fc.oneof(
      value.map((word) => [word]),
      fc.tuple(fc.constantFrom(...commands), fc.nat()).map(([{ path }, place]) => misspelt(path, place).split(" ")),
    ),
    after: fc.array(piecesOf(anyFlags), { maxLength: 3 }),
  });
  const secret = fc.record({
    name: fc.constantFrom("--token", "--share-token"),
    text: fc.stringMatching(/^(pl[kas]_)?[A-Za-z0-9]{24}$/),
    joined: fc.boolean(),
    first: fc.boolean(),
  });
  return fc
    .record({
      line: fc.oneof(
        { weight: 4, arbitrary: known },
        { weight: 1, arbitrary: right },
        { weight: 1, arbitrary: unknown },
      ),
      secret,
    })
    .map(({ line: { before, command, after }, secret: { name, text, joined, first } }) => {
      const token = joined ? [`${name}=${text}`] : [name, text];
      const rest = first ? [...token, ...before.flat(), ...command] : [...before.flat(), ...command, ...token];
      return { words: [...rest, ...after.flat()].filter((word) => !leftOut.has(word)), secret: text };
    });
}

const given = ([{ name, type, values: only }, text]: [FlagEntry, string]): string[] =>
  type === "boolean" ? [name] : [name, only?.[text.length % only.length] ?? text];

/** An example's words after the program's name, split as a shell does. */
const wordsOf = (example: string): string[] =>
  [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);

/** Without one of its letters, or with one doubled. */
const misspelt = (text: string, place: number): string => {
  const at = 2 + (place % Math.max(1, text.length - 2));
  return place % 2 === 0 ? text.slice(0, at) + text.slice(at + 1) : text.slice(0, at) + text.slice(at - 1);
};

/** The system accepts no argument with a NUL. */
const withoutNul = (text: string): string => text.replaceAll("\0", "");
