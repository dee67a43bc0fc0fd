// The steps of CONTRIBUTING.md, "Add an operation", and the row of ARCHITECTURE.md about audit events name every file
// with a list that does not compile without the new name, and no file that does not exist.
import { expect, test } from "bun:test";

import { readSources } from "./citations.ts";
import { root } from "./step.ts";

const { texts, exists } = readSources(root);

const textOf = (path: string): string => texts.get(path) ?? "";
const steps = textOf("CONTRIBUTING.md").split("\n## Add an operation\n")[1]?.split("\n## ")[0] ?? "";
const eventRow = /^\| add an audit event \|.*$/m.exec(textOf("ARCHITECTURE.md"))?.[0] ?? "";

/** The files that a text names in backticks. */
const filesIn = (text: string): string[] => [...text.matchAll(/`([\w/-]+(?:\.\w+)+)`/g)].map(([, path = ""]) => path);

/** The files with a type that requires a member for each name of one of the unions. */
function filesWithAll(...unions: readonly string[]): string[] {
  const names = `(?:${unions.join("|")})`;
  const whole = new RegExp(`(?<!Partial<)Record<${names},|\\[\\w+ in ${names}\\]:`);
  return [...texts].filter(([path, text]) => /\.(?:ts|svelte)$/.test(path) && whole.test(text)).map(([path]) => path);
}

test("each file that lists all operations or tools is a step", () => {
  const files = filesWithAll("OperationName", "ToolName", "ToolOperation");
  expect(files.length).toBeGreaterThan(5);
  const missing = files.filter((path) => !filesIn(steps).includes(path));
  expect(missing, 'CONTRIBUTING.md, "Add an operation" has to name each').toEqual([]);
});

test("one file lists all kinds of audit events, with their words, and the row about them names it", () => {
  const files = filesWithAll("AuditKind");
  expect(files, "the words of a kind are in one table").toEqual(["contract/audit-words.ts"]);
  expect(filesIn(eventRow)).toContain("contract/audit-words.ts");
});

test("each file that the steps name exists", () => {
  const named = [...filesIn(steps), ...filesIn(eventRow)];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

test("each name of tests after the steps is that of a test", () => {
  const commands = [...steps.matchAll(/^(?:\w+=\w+ )?bun run test ([^"\n]*?)(?: -t .*)?$/gm)];
  const names = commands.flatMap(([, given = ""]) => given.split(" "));
  expect(names.length).toBeGreaterThan(10);
  const tests = [...texts.keys()].filter((path) => path.endsWith(".test.ts"));
  expect(names.filter((name) => !tests.some((path) => path.includes(name)))).toEqual([]);
});
