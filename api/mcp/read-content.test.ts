import { describe, expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";
import * as fc from "fast-check";

import { partOf } from "@plinth/domain/versions/content-part";

import { pageCharacters, pageOf as pageOfPart, type Page } from "./read-content.ts";

const encoder = new TextEncoder();

function pageOf(
  text: string,
  { startColumn, ...lines }: { startLine?: number; endLine?: number; startColumn?: number },
) {
  const bytes = encoder.encode(text);
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return pageOfPart(partOf({ bytes, sha256, type: "md" }, lines), startColumn === undefined ? {} : { startColumn });
}

/** Continues like a client: from the position that each page names. */
function pagesOf(text: string, endLine?: number): Page[] {
  const until = endLine === undefined ? {} : { endLine };
  const pages = [pageOf(text, until)];
  for (let page = pages[0]; page?.nextLine !== undefined; page = pages.at(-1)) {
    const { nextLine: startLine, nextColumn } = page;
    pages.push(pageOf(text, { ...until, startLine, ...(nextColumn !== undefined && { startColumn: nextColumn }) }));
    if (pages.length > 10_000) throw new Error("the pages never end");
  }
  return pages;
}

const joined = (pages: readonly Page[]): string => pages.map(({ content }) => content).join("");
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [""];

/** Lines of all lengths, some longer than a page, with every kind of line end. */
const lines = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3000 }).map((length) => "ü".repeat(length)) },
  fc.integer({ min: pageCharacters - 2, max: pageCharacters + 2 }).map((length) => "x".repeat(length)),
  fc.integer({ min: pageCharacters - 2, max: 2 * pageCharacters + 2 }).map((length) => `x${"😀".repeat(length / 2)}`),
);
const texts = fc
  .tuple(fc.array(fc.tuple(lines, fc.constantFrom("\n", "\r\n", "\n\n", "\r")), { maxLength: 40 }), lines)
  .map(([whole, last]) => (whole.flat().join("") + last).toWellFormed());

describe("pages of a text", () => {
  test("joined are the text to the byte, none longer than a page, none empty but of an empty text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const pages = pagesOf(text);
        expect(Buffer.from(joined(pages)).equals(Buffer.from(text))).toBe(true);
        expect(pages.every(({ content }) => content.length <= pageCharacters)).toBe(true);
        expect(pages.every(({ content }) => content !== "" || text === "")).toBe(true);
        expect(pages.every(({ content }) => content.isWellFormed())).toBe(true);
      }),
    );
  });

  test("begin and end where they say, and go on there", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole = linesOf(text);
        for (const page of pagesOf(text)) {
          expect(page.totalLines).toBe(whole.length);
          const lines = whole.slice(page.startLine - 1, page.endLine).join("");
          expect(lines.includes(page.content)).toBe(true);
          const isCut = page.nextColumn !== undefined;
          expect(page.nextLine).toBe(isCut ? page.endLine : page.endLine < whole.length ? page.endLine + 1 : undefined);
        }
      }),
    );
  });

  test("of a part are that part", () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, a, b) => {
        const whole = linesOf(text);
        const [startLine = 1, endLine = 1] = [1 + (a % whole.length), 1 + (b % whole.length)].toSorted((x, y) => x - y);
        expect(joined(pagesOf(text, endLine))).toBe(whole.slice(0, endLine).join(""));
        const { content, nextLine } = pageOf(text, { startLine, endLine });
        const wanted = whole.slice(startLine - 1, endLine).join("");
        expect(wanted.startsWith(content)).toBe(true);
        expect(nextLine === undefined).toBe(content === wanted);
      }),
    );
  });

  test.each([
    ["", 1],
    ["\n", 1],
    ["one", 1],
    ["one\n", 1],
    ["one\ntwo", 2],
    ["one\r\ntwo\r\n", 2],
    ["\n\n", 2],
    ["one\rtwo", 1],
  ])("%j is whole on one page of %i lines", (text, totalLines) => {
    expect(pageOf(text, {})).toEqual({ content: text, startLine: 1, endLine: totalLines, totalLines });
  });

  test("as long as a page are one, and a character more is another", () => {
    const line = "x".repeat(pageCharacters - 1);
    expect(pageOf(`${line}\n`, {}).nextLine).toBeUndefined();
    expect(pageOf(`${line}x\n`, {})).toMatchObject({
      content: `${line}x`,
      nextLine: 1,
      nextColumn: pageCharacters + 1,
    });
    expect(pageOf(`${line}\ny`, {})).toMatchObject({ content: `${line}\n`, nextLine: 2 });
  });

  test("no character is cut in two", () => {
    const text = `x${"😀".repeat(pageCharacters)}`;
    const [first, second] = pagesOf(text);
    expect([first?.content.length, second?.content.isWellFormed()]).toEqual([pageCharacters - 1, true]);
  });

  test.each([
    [{ startColumn: 5 }, "startColumn", "is past the end of the line"],
    [{ startLine: 2, startColumn: 4 }, "startColumn", "is past the end of the line"],
  ] as const)("a place that is not there, %j, is refused", (wanted, path, message) => {
    const ask = () => pageOf("one\ntwo", wanted);
    expect(ask).toThrow(AppError);
    try {
      ask();
    } catch (error) {
      expect((error as AppError).extra.errors).toEqual([{ path, message }]);
    }
  });
});
