import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { commands } from "../catalogue.ts";
import { exitCodes } from "../failure/failure.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { wholeArtifact } from "@plinth/contract/test/artifact";
import { line, problem, type Ran } from "../testing/line.ts";

const seed = Number(process.env["ARGUMENTS_SEED"] ?? Math.floor(Math.random() * 0x7fffffff));
const count = Number(process.env["ARGUMENTS_COUNT"] ?? 5_000);

/** Of forms that no rule recognizes: they are hidden because they stand where secrets stand. */
const secrets = {
  flag: "hunter2-on-the-line",
  share: "hunter2-of-a-link",
  environment: "hunter2-in-the-environment",
  operator: "hunter2-of-the-operator",
  stdin: "hunter2-on-standard-input",
};

const names = [...new Set([...Object.keys(globalFlags), ...commands.flatMap(({ flags }) => Object.keys(flags))])];
const words = [...new Set(commands.flatMap(({ path }) => path.split(" ")))];

const hostile = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  " ",
  "-",
  "--",
  "---",
  "-x",
  "-hh",
  "=",
  "--=",
  "--=x",
  "..",
  "@",
  "@absent",
  "{",
  "[]",
  "{}",
  '{"__proto__":{"a":1}}',
  "null",
  "\u0000",
  "\u001B]8;;http://evil.test\u001B\\x",
  "\u001B[2J",
  "\r\n",
  "\uD800",
  "a\uDC00b",
  "\u202Eexe",
  "日本語",
  "👩‍👩‍👧",
  "ＡＢ",
  "İ",
  "x".repeat(100_000),
  "-".repeat(100_000),
);
const number = fc.constantFrom(
  "0",
  "-1",
  "1",
  "101",
  "1.5",
  "1e3",
  "9007199254740993",
  "99999999999",
  "NaN",
  "٣",
  "0x10",
);
const value = fc.oneof(
  hostile,
  number,
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "json",
    "text",
    "yaml",
    "md",
    "report",
    "a,b",
    "none",
    "art_1",
    "-",
    "http://h.test",
    "ftp://h",
    "url",
  ),
);
const misspelt = fc
  .tuple(fc.constantFrom(...names, ...words), fc.nat(), fc.constantFrom("", "x", "-", "É"))
  .map(
    ([name, at, letter]) => name.slice(0, at % (name.length + 1)) + letter + name.slice((at % (name.length + 1)) + 1),
  );
const flagName = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, misspelt, {
  weight: 1,
  arbitrary: hostile,
});
const flag = fc
  .tuple(flagName, value, fc.constantFrom("spaced", "joined", "alone", "twice"))
  .map(([name, given, form]) => {
    if (form === "joined") return [`--${name}=${given}`];
    if (form === "twice") return [`--${name}`, given, `--${name}`, given];
    return form === "alone" ? [`--${name}`] : [`--${name}`, given];
  });
const secretFlag = fc.constantFrom<readonly string[]>(
  ["--token", secrets.flag],
  [`--token=${secrets.flag}`],
  ["--share-token", secrets.share],
  [`--share-token=${secrets.share}`],
  ["--token-stdin"],
);
const command = fc.constantFrom(...commands).chain(({ path, flags }) => {
  const required = Object.entries(flags).filter(([, { required }]) => required);
  const given = required.map(([name, { type, values }]) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(type === "boolean" ? [`--${name}`] : [`--${name}`, values?.[0] ?? "1"]) },
      fc.constant<string[]>([]),
      value.map((text) => [`--${name}=${text}`]),
    ),
  );
  return fc.tuple(...given).map((each) => ({ words: path.split(" "), flags: each.flat() }));
});
const argv = fc
  .record({
    before: fc.array(fc.oneof(flag, secretFlag), { maxLength: 2 }),
    command: fc.oneof(
      { weight: 6, arbitrary: command },
      fc.array(fc.oneof(fc.constantFrom(...words), misspelt, hostile), { maxLength: 4 }).map((some) => ({
        words: some,
        flags: [],
      })),
    ),
    after: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: flag },
        secretFlag,
        value.map((one) => [one]),
      ),
      { maxLength: 4 },
    ),
    end: fc.constantFrom<readonly string[]>([], [], [], ["--"], ["--", "x"], ["--help"]),
  })
  .map(({ before, command: { words, flags }, after, end }) => [
    ...before.flat(),
    ...words,
    ...flags,
    ...after.flat(),
    ...end,
  ]);

const collections = [
  "artifacts",
  "versions",
  "projects",
  "workspaces",
  "members",
  "invitations",
  "apiKeys",
  "agents",
  "shareLinks",
  "auditEvents",
  "jobs",
  "packages",
];
/** What commands read of an artifact or a version before they go on. */
const health = { status: "pass", version: "0.1.0", uptimeSeconds: 1 };
const emptyLists = Object.fromEntries(collections.map((name) => [name, []]));

/** The properties that every run must have, for any line. */
function requireSound({ code, stdout, stderr, requests }: Ran, argv: readonly string[], format: string): void {
  expect(Object.keys(exitCodes).map(Number)).toContain(code);
  expect(Object.values(secrets).filter((secret) => stderr.includes(secret) || stdout.includes(secret))).toEqual([]);
  if (!argv.some((word) => word.startsWith("--debug"))) expect(stderr).not.toMatch(/^ {4}at /m);
  // No byte of the line may drive the terminal, and no echo may fill it.
  // oxlint-disable-next-line no-control-regex
  expect(stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
  expect(stderr.length).toBeLessThan(20_000);
  if (code === 0) return;
  // What the client could not explain is a fault of the client's.
  expect(code, stderr).not.toBe(1);
  expect(stdout).toBe("");
  if (code === 2) expect(requests.length).toBe(0);
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  if (last.startsWith("{") || format === "json-only") {
    const { error } = JSON.parse(last) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ exitCode: code, code: expect.any(String), detail: expect.any(String) });
  } else expect(stderr).toMatch(/^error: .+/m);
}

test(`${count} generated lines end as they should (ARGUMENTS_SEED=${seed})`, async () => {
  const setup = fc.record({
    tokens: fc.boolean(),
    format: fc.constantFrom("json", "text"),
    refuses: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(argv, setup, async (line_, { tokens, format, refuses }) => {
      const ran = await line(line_, {
        env: {
          SERVICE_FORMAT: format,
          ...(tokens && {
            SERVICE_TOKEN: secrets.environment,
            OPERATOR_TOKEN: secrets.operator,
          }),
        },
        stdin: secrets.stdin,
        answer: ({ url }) =>
          refuses || url.endsWith("/api/profile/me")
            ? problem(404, "not_found")
            : Response.json({
                ...emptyLists,
                ...wholeArtifact,
                ...health,
                versionNumber: 1,
                nextCursor: null,
                viewerEmails: [],
                email: "",
                because: [],
              }),
      });
      requireSound(
        ran,
        line_,
        format === "json" && !line_.some((word) => word.startsWith("--format")) ? "json-only" : "",
      );
    }),
    { seed, numRuns: count },
  );
}, 60_000);
