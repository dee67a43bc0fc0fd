// `--jq`.
import { expect, test } from "bun:test";

import { json, line } from "../testing/line.ts";

const artifacts = [
  { slug: "a", title: "A", latestVersion: 1 },
  { slug: "b", title: "Line\u001B[2J", latestVersion: 2 },
];
const answer = () => json({ artifacts, nextCursor: null });
const filtered = async (program: string, ...words: readonly string[]) =>
  (await line(["ls", "--jq", program, ...words], { answer })).stdout;

test("text is printed raw, anything else as JSON, one line an output", async () => {
  expect(await filtered(".artifacts[].slug")).toBe("a\nb\n");
  expect(await filtered(".artifacts | map({slug, v: .latestVersion}) | .[0]")).toBe('{"slug":"a","v":1}\n');
  expect(await filtered(".artifacts | length, .[0].nope")).toBe("2\nnull\n");
  expect(await filtered(".artifacts[] | select(.latestVersion > 5)")).toBe("");
  expect(await filtered(".latestVersion", "--ndjson")).toBe("1\n2\n");
  expect(await filtered(".artifacts[0].slug", "--format", "text")).toBe("a\n");
});

test("it is jq itself", async () => {
  expect(await filtered('.nope // "none", (.artifacts[-1:] | length)')).toBe("none\n1\n");
  expect(await filtered(".artifacts[] | [.slug, .latestVersion] | @tsv")).toBe("a\t1\nb\t2\n");
  expect(await filtered('def v: "v\\(.latestVersion)"; .artifacts | map(v) | join(" ") # comment')).toBe("v1 v2\n");
});

test("a terminal gets no control characters", async () => {
  const { stdout } = await line(["ls", "--jq", ".artifacts[].title"], { answer, terminal: true });
  expect(stdout).toBe("A\nLine\\u001b[2J\n");
});

test("a program that is none is refused before anything is sent", async () => {
  const { code, error, requests } = await line(["ls", "--jq", ".artifacts["]);
  expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
  expect(error["detail"]).toStartWith("--jq is no jq program");
  expect((await line(["ls", "--jq", ".", "--field", "nextCursor"])).code).toBe(2);
});

test("a program that the result does not fit fails, and says that the command was done", async () => {
  const { code, error, stdout } = await line(["ls", "--jq", ".artifacts + 1"], { answer });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(error["detail"]).toMatch(/^--jq failed on the result: array .* and number \(1\) cannot be added$/);
  expect(error["hint"]).toStartWith("The command itself was done");
});

test("a diff is the JSON one", async () => {
  const diff = ({ headers }: Request) => json({ stats: { additions: 1 }, accept: headers.get("accept") });
  const { stdout } = await line(["artifact", "diff", "art_1", "--from", "1", "--to", "2", "--jq", ".accept"], {
    answer: diff,
    terminal: true,
  });
  expect(stdout).toBe("application/json\n");
});
