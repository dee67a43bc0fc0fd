// Extracts the title, the first headings and the first words of an html document, tag by tag. It builds no tree, which
// hostile html makes many times as large as its source.
import { Tokenizer, TokenizerMode } from "parse5";

interface HtmlWords {
  /** Of the first `<title>` of the document, not of an image in it. */
  readonly title: string | null;
  readonly firstH1: string | null;
  readonly firstHeading: string | null;
  /** The beginning of its text. */
  readonly text: string | null;
}

/** In UTF-16 units: behind it is nothing that names a document. */
const readLength = 256 * 1024;
const pieceLength = 16 * 1024;
/** Of a title, a heading or the text. */
const keptLength = 2000;

type Mode = (typeof TokenizerMode)[keyof typeof TokenizerMode];

const modes: Readonly<Record<string, Mode>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
  ...Object.fromEntries(
    ["style", "xmp", "iframe", "noembed", "noframes", "noscript"].map((name) => [name, TokenizerMode.RAWTEXT]),
  ),
};
/** Their text is not the document's. */
const apart = new Set(["svg", "math", "template"]);
/** Their tags separate no words. */
const inline = new Set(
  "a abbr b bdi bdo cite code em font i kbd mark q s samp small span strong sub sup u var wbr".split(" "),
);
const heading = /^h[1-6]$/;

export function htmlWords(html: string): HtmlWords {
  const found: { title?: string; h1?: string; heading?: string; text: string } = { text: "" };
  /** Elements of `apart` that are open. */
  let depth = 0;
  /** The title or heading that is open, and its text so far. */
  let name: string | null = null;
  let words = "";
  /** The element whose content is no markup. */
  let raw: string | null = null;

  function add(text: string): void {
    if (depth > 0 || (raw !== null && raw !== "title")) return;
    if (name !== null && words.length < keptLength) words += text;
    if (name !== "title" && found.text.length < keptLength) found.text += text;
  }
  function close(): void {
    const text = plain(words);
    if (text !== "" && name === "title") found.title ??= text;
    if (text !== "" && name === "h1") found.h1 ??= text;
    if (text !== "" && name !== null && heading.test(name)) found.heading ??= text;
    name = null;
    words = "";
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, selfClosing }) {
        if (apart.has(tagName)) depth += selfClosing ? 0 : 1;
        if (depth > 0) return;
        if (!inline.has(tagName)) add(" ");
        const mode = modes[tagName];
        if (mode !== undefined) {
          tokenizer.state = mode;
          raw = tagName;
        }
        if (tagName !== "title" && !heading.test(tagName)) return;
        close();
        name = tagName;
      },
      onEndTag({ tagName }) {
        if (apart.has(tagName)) depth = Math.max(0, depth - 1);
        if (depth > 0) return;
        if (tagName === raw) raw = null;
        if (!inline.has(tagName)) add(" ");
        if (tagName === "title" || heading.test(tagName)) close();
      },
      onCharacter: ({ chars }) => add(chars),
      onWhitespaceCharacter: ({ chars }) => add(chars),
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => close(),
    },
  );
  const end = Math.min(html.length, readLength);
  for (let at = 0; at < end && found.title === undefined; at += pieceLength)
    tokenizer.write(html.slice(at, Math.min(at + pieceLength, end)), at + pieceLength >= end);
  return {
    title: found.title ?? null,
    firstH1: found.h1 ?? null,
    firstHeading: found.heading ?? null,
    text: plain(found.text) || null,
  };
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
