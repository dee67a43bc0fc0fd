// Large texts of the shapes that cost a server the most: many lines, one line, many headings, deep lists, few letters.
import { array, constantFrom } from "fast-check";

export interface LargeText {
  readonly name: string;
  readonly type: "md" | "html" | "jsx";
  /** A text of about so many bytes of UTF-8, never more. */
  readonly ofBytes: (bytes: number) => string;
}

const repeated = (unit: string) => (bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

/** What a text may be made of: one to six pieces, again and again. */
export const pieces = array(
  constantFrom(
    ...["a", " ", "\n", "\t", '"', "\\", "#", "-", "*", "_", "`", "|", "[", "]", "<", ">", "&", "$", ":", "\u0001"],
    ...["é", "語", "😀", "# ", "- ", "    ", "\n\n", "](", "<b>", "<!--", "&amp;", "http://a.b/", "\r\n"],
  ),
  { minLength: 1, maxLength: 6 },
);

export const repeatedText = (unit: readonly string[]): LargeText => ({
  name: JSON.stringify(unit.join("")),
  type: "md",
  ofBytes: repeated(unit.join("")),
});

const deepLists = (bytes: number): string => {
  const list = Array.from({ length: 60 }, (_, depth) => `${"  ".repeat(depth)}- item\n`).join("");
  return repeated(list)(bytes);
};

/** Each line differs, so that nothing compresses or repeats well. */
const differentLines = (bytes: number): string => {
  const lines: string[] = [];
  let length = 0;
  for (let n = 0; length < bytes - 64; n++) {
    const line = `${Bun.hash.xxHash64(String(n)).toString(36)} ${Bun.hash.xxHash64(`b${n}`).toString(36)}\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join("");
};

export const largeTexts: readonly LargeText[] = [
  { name: "lines of one letter", type: "md", ofBytes: repeated("a\n") },
  { name: "empty lines", type: "md", ofBytes: repeated("\n") },
  { name: "one line", type: "md", ofBytes: repeated("a") },
  { name: "headings", type: "md", ofBytes: repeated("# a\n\n") },
  { name: "deep lists", type: "md", ofBytes: deepLists },
  { name: "letters of two bytes", type: "md", ofBytes: repeated("é") },
  { name: "letters of three bytes in lines", type: "md", ofBytes: repeated("語\n") },
  { name: "lines that differ", type: "md", ofBytes: differentLines },
  { name: "emphasis", type: "md", ofBytes: repeated("*a _b ") },
  { name: "html tags", type: "html", ofBytes: repeated("<h1>a</h1>\n") },
  { name: "html comments", type: "html", ofBytes: repeated("<!--a\n-->") },
  { name: "html of one line", type: "html", ofBytes: repeated("<b>a") },
];
