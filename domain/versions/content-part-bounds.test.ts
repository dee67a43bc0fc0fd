// Limits of a content part, counted: bytes that are read, text that is made, and lines and bytes of the answer.
import { describe, expect, spyOn, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";

import { partOf, type Source, type WantedPart } from "./content-part.ts";
import { foundBytes, foundCharacters, mostFound } from "./found-lines.ts";
import { partIn, sourceOf } from "./test/parts.ts";

/** Reads on from each `nextLine`, as a client does. */
function allFound(text: string, wanted: WantedPart, type: "md" | "html" = "md") {
  const parts = [partIn(text, type, wanted)];
  for (let next = parts[0]?.nextLine; next !== undefined; next = parts.at(-1)?.nextLine) {
    expect(parts.length).toBeLessThan(100);
    parts.push(partIn(text, type, { ...wanted, startLine: next }));
  }
  return parts;
}

describe("an answer", () => {
  test("has at most 1,000 lines that were found, and the line of the next one", () => {
    const text = `${"a\nb\n".repeat(1000)}b\na\na\n`;
    const [first, second, ...others] = allFound(text, { grep: "A" });
    expect(first).toMatchObject({ found: mostFound, startLine: 1, endLine: 2003, totalLines: 2003, nextLine: 2002 });
    expect(first?.text).toEndWith("\n1999: a\n");
    expect(second).toMatchObject({ found: 2, startLine: 2002, text: "2002: a\n2003: a\n" });
    expect(second).not.toHaveProperty("nextLine");
    expect(others).toEqual([]);
  });

  test("with exactly as many lines as fit names no next one", () => {
    expect(partIn("a\n".repeat(mostFound), "md", { grep: "a" })).not.toHaveProperty("nextLine");
    expect(partIn(`${"a\n".repeat(mostFound)}b\n`, "md", { grep: "a" })).not.toHaveProperty("nextLine");
    expect(partIn("a\n".repeat(mostFound), "md", { grep: "a", endLine: 3 })).toMatchObject({ found: 3 });
    expect(partIn("a\n".repeat(mostFound + 1), "md", { grep: "a" }).nextLine).toBe(mostFound + 1);
    expect(partIn("a\n".repeat(mostFound + 1), "md", { grep: "a", endLine: mostFound })).not.toHaveProperty("nextLine");
  });

  test("has at most 256 KB of lines that were found, and all parts together have each of them once", () => {
    const line = `${"狐".repeat(500)}x`;
    const text = `${line}\n`.repeat(700);
    const parts = allFound(text, { grep: "X" });
    expect(parts.length).toBe(5);
    for (const part of parts) expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(foundBytes);
    const expected = Array.from({ length: 700 }, (_, n) => `${n + 1}: ${line}\n`).join("");
    expect(parts.map((part) => part.text).join("")).toBe(expected);
  });

  test("has the beginning of a line that is too long", () => {
    const { text, found } = partIn(`${"y".repeat(3_000_000)}needle\nneedle\n`, "md", { grep: "needle" });
    expect(found).toBe(2);
    expect(text).toBe(`1: ${"y".repeat(foundCharacters - 3)}…\n2: needle\n`);
  });

  test("has at most 256 KB of headings, and goes on after the last line that it lists", () => {
    const heading = (n: number) => `# ${"ü".repeat(190)}${n}\n`;
    const text = Array.from({ length: 1000 }, (_, n) => heading(n)).join("");
    const parts = allFound(text, { outline: true });
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(foundBytes);
    const listed = parts.flatMap((part) =>
      part.text
        .trimEnd()
        .split("\n")
        .map((line) => Number.parseInt(line, 10)),
    );
    expect(listed).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
  });

  test("leaves out headings of a line that is begun, so that reading on ends", () => {
    const text = `${`<h1>${"ü".repeat(190)}</h1>`.repeat(800)}\n<h2>Last</h2>\n`;
    const [first, second, ...others] = allFound(text, { outline: true }, "html");
    expect(first?.nextLine).toBe(2);
    expect(second).toMatchObject({ text: "2: ## Last (last)\n", found: 1 });
    expect(others).toEqual([]);
  });

  test("with a range or a section is the text's own bytes, not a copy", () => {
    const source = sourceOf(`# A\n${"x\n".repeat(300_000)}# B\nend\n`, "md");
    for (const [wanted, from, to] of [
      [{ section: "a" }, 0, 600_004],
      [{ startLine: 2, endLine: 300_001 }, 4, 600_004],
      [{ section: "b" }, 600_004, 600_012],
    ] as const) {
      const { bytes } = partOf(source, wanted);
      expect([bytes.buffer === source.bytes.buffer, bytes.byteOffset, bytes.byteOffset + bytes.length]).toEqual([
        true,
        from,
        to,
      ]);
    }
  });
});

/** The bytes as the same array that counts how many of them are looked at. */
function counting(bytes: Uint8Array): { readonly bytes: Uint8Array; looks: () => number } {
  let looks = 0;
  const searched = (name: "indexOf" | "lastIndexOf") => (byte: number, from: number) => {
    const found = bytes[name](byte, from);
    looks += Math.abs((found < 0 ? (name === "indexOf" ? bytes.length : 0) : found) - from);
    return found;
  };
  const proxy = new Proxy(bytes, {
    get(target, name) {
      if (name === "indexOf" || name === "lastIndexOf") return searched(name);
      if (typeof name === "string" && /^\d/.test(name)) looks++;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { bytes: proxy, looks: () => looks };
}

const hostile: readonly (readonly ["md" | "html", string])[] = [
  ["md", "a\n"],
  ["md", "\n"],
  ["md", "\r\n"],
  ["md", "a"],
  ["md", " "],
  ["md", "# a\n"],
  ["md", "#\ra\n"],
  ["md", "```\n"],
  ["md", "```a`\n"],
  ["md", "> a\n=\n"],
  ["md", "\u00a0\n=\n"],
  ["md", "---\n"],
  ["md", "# # "],
  ["md", "лиса "],
  ["html", "<"],
  ["html", "<h1 "],
  ["html", "<h1>"],
  ["html", "<h1></h2>"],
  ["html", "<h1></h1>"],
  ["html", "<h1>a</h1><h2>"],
];
const asked: readonly WantedPart[] = [
  { grep: "a" },
  { grep: "z" },
  { grep: "лис" },
  { grep: `${"a".repeat(199)}b` },
  { grep: "\r" },
  { outline: true },
  { section: "nope" },
  { startLine: 1, endLine: 1 },
  { startLine: 2 },
];

/** Each question has a separate hash, because what is known of a text is not computed again. */
function ask(source: Source, wanted: WantedPart): void {
  try {
    partOf({ ...source, sha256: `${source.sha256} ${JSON.stringify(wanted)}` }, wanted);
  } catch (error) {
    // It has no such line or section, which is known only after the whole text.
    if (!(error instanceof AppError)) throw error;
  }
}

const textOfBytes = (piece: string, length: number) => piece.repeat(Math.ceil(length / Buffer.byteLength(piece)));

describe("the work of a part", () => {
  test.each(hostile)("each byte of %s %j is looked at a few times for each question", (type, piece) => {
    for (const wanted of asked) {
      const source = sourceOf(textOfBytes(piece, 6000), type);
      const { bytes, looks } = counting(source.bytes);
      ask({ ...source, bytes }, wanted);
      expect([wanted, looks() / bytes.length < 12]).toEqual([wanted, true]);
    }
  });

  test.each(hostile)("of %s %j only lines and headings that are listed are made a text", (type, piece) => {
    const source = sourceOf(textOfBytes(piece, 1_000_000), type);
    for (const wanted of asked) {
      using decode = spyOn(TextDecoder.prototype, "decode");
      ask(source, wanted);
      const decoded = decode.mock.calls.reduce((sum, [bytes]) => sum + (bytes?.byteLength ?? 0), 0);
      // A quarter of the text, the most that front matter may have. The lines and headings of the text are short, or it
      // is one line of which the beginning is read.
      expect([wanted, decoded <= 250_000]).toEqual([wanted, true]);
      // 2,000 headings and their tags, and three for front matter.
      expect([wanted, decode.mock.calls.length <= 4003]).toEqual([wanted, true]);
    }
  });

  test("what was found in a text is not looked for again", () => {
    const source = sourceOf("# a\n".repeat(100_000), "md");
    partOf(source, { outline: true });
    const { bytes, looks } = counting(source.bytes);
    expect(partOf({ ...source, bytes }, { section: "a-1" })).toMatchObject({ startLine: 2, endLine: 2 });
    expect(looks()).toBeLessThan(20);
  });
});
