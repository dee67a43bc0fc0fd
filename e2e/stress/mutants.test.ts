// The mutation runner on a small program: a mutant that its test notices is killed, another one survives.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { editsOf } from "./mutants/edits.ts";
import { judge } from "./mutants/judge.ts";
import { apply, type Mutant } from "./mutants/mutant.ts";
import { importersOf, sourcesIn, testsReaching } from "./mutants/nearest-tests.ts";
import { figures, mutate } from "./mutants/run.ts";

const program: Readonly<Record<string, string>> = {
  "shop/price.ts": "export const isFree = (price: number): boolean => price === 0;\n",
  "shop/log.ts": "export const isLoud = (level: number): boolean => level === 1;\n",
  "shop/model.ts": "export const model = (n: number): boolean => n === 2;\n",
  "shop/main.ts":
    'import { isLoud } from "./log.ts";\nimport { isFree } from "./price.ts";\nexport { isFree, isLoud };\n',
  "shop/start.ts": 'import "./main.ts";\n',
  "shop/price.test.ts":
    'import { expect, test } from "bun:test";\nimport { isFree, isLoud } from "./main.ts";\nimport { model } from "./model.ts";\n' +
    'test("price", () => {\n  expect([isFree(0), isFree(1)]).toEqual([true, false]);\n  expect(typeof isLoud(1)).toBe(typeof model(2));\n});\n',
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "plinth-mutants-test-"));
  for (const [path, text] of Object.entries(program)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const run = (ledger: string, survivedOnly = false) => {
  const lines: string[] = [];
  const folders = { folders: ["shop"], testFolders: ["shop"], root };
  const log = (line: string) => void lines.push(line);
  return mutate({ ...folders, count: 100, seed: 1, width: 2, ledger, survivedOnly, log, timeoutMs: 60_000 }).then(
    (judged) => ({ judged, lines }),
  );
};

test("a mutant that a test notices is killed, another survives, and the program stays as it was", async () => {
  const ledger = join(root, "verdicts.jsonl");
  const { judged, lines } = await run(ledger);
  const outcomes = judged.map(({ file, outcome }) => `${file} ${outcome}`);
  expect(new Set(outcomes)).toEqual(new Set(["shop/price.ts killed", "shop/log.ts survived"]));
  expect(lines).toHaveLength(judged.length);
  expect(figures(judged)).toMatchObject({ judged: judged.length, timeouts: 0, equivalent: 0 });
  for (const [path, text] of Object.entries(program)) expect(readFileSync(join(root, path), "utf8")).toBe(text);

  // A second run of the same seed has nothing left except survivors, if it is told to judge those again.
  expect((await run(ledger)).lines).toEqual([]);
  expect((await run(ledger, true)).lines).toHaveLength(outcomes.filter((one) => one.endsWith("survived")).length);
}, 120_000);

test("a mutant is late where the same tests are not late without it", async () => {
  const [edit] = editsOf("f.ts", "if (a) b();");
  if (edit === undefined) throw new Error("there is no edit");
  const mutant: Mutant = { ...edit, file: "f.ts", line: 1, before: "", replaced: "" };
  const outcomeWhere = async (unchanged: "passed" | "timeout") => {
    const test = (_: unknown, of: Mutant | null) =>
      Promise.resolve({ outcome: of === null ? unchanged : ("timeout" as const), output: "" });
    return (await judge({ test, remove: () => Promise.resolve() }, mutant, ["f.test.ts"], new Map())).outcome;
  };
  expect([await outcomeWhere("passed"), await outcomeWhere("timeout")]).toEqual(["timeout", "survived"]);
});

test("the tests of a file come nearest first, over what imports it", () => {
  const importers = importersOf(root, sourcesIn(root, ["shop"]));
  expect([...(importers.get("shop/log.ts") ?? [])]).toEqual(["shop/main.ts"]);
  expect(testsReaching(root, "shop/log.ts", importers)).toEqual(["shop/price.test.ts"]);
});

test("of equally near tests those come first that share rare words with the source around the change", () => {
  const given: Readonly<Record<string, string>> = {
    "far/send.ts": "export const send = () => null;\n",
    "far/main.ts": 'import { send } from "./send.ts";\nexport { send };\n',
    "tests/a.test.ts": 'import "../far/main.ts";\n// token, sender\n',
    "tests/b.test.ts": 'import "../far/main.ts";\n// token, shareToken\n',
    "tests/c.test.ts": 'import "../far/main.ts";\n// token\n',
  };
  for (const [path, text] of Object.entries(given)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const importers = importersOf(root, sourcesIn(root, ["far", "tests"]));
  expect(testsReaching(root, "far/send.ts", importers, '{ "x-share-token": token }')[0]).toBe("tests/b.test.ts");
  expect(testsReaching(root, "far/send.ts", importers, "sender(token)")[0]).toBe("tests/a.test.ts");
});

test("each operator changes what it says, and nothing in types and texts", () => {
  const source = `type Kind = "a" | 1;
const sql = \`SELECT 1 FROM t WHERE a = \${one(2)} AND (b IS NULL OR c > 3) AND d FOR UPDATE OF t\`;
async function f(x: Kind): Promise<number> {
  if (x === "a") throw new Error("WHERE am I");
  await g(x && sql);
  return 40;
}`;
  const changed = editsOf("f.ts", source).map((edit) => [
    edit.operator,
    source.slice(edit.start, edit.end).trim(),
    edit.text.trim(),
  ]);
  expect(changed).toEqual([
    ["sql", "WHERE a = ${one(2)}", "WHERE true"],
    ["sql", "AND (b IS NULL OR c > 3)", ""],
    ["sql", "AND d", ""],
    ["sql", "FOR UPDATE OF t", ""],
    ["bound", "2", "3"],
    ["negate", 'x === "a"', '!(x === "a")'],
    ["guard", 'if (x === "a") throw new Error("WHERE am I");', "{}"],
    ["compare", "===", "!=="],
    ["call", "await g(x && sql);", ";"],
    ["logic", "&&", "||"],
    ["return", "return 40;", "return null as never;"],
    ["bound", "40", "80"],
  ]);
  const [first] = editsOf("f.ts", "if (a) b();");
  if (first === undefined) throw new Error("there is no edit");
  expect(apply("if (a) b();", first)).toBe("if (!(a)) b();");
});
