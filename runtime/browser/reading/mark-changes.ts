// A document that is compared with another version: tells the page around it the text it shows, and marks the parts that
// the page names. The text has a line break between blocks, so that words of two blocks do not become one.

const { parent } = window;
/** The page refuses a longer text. Characters. */
const longest = 300_000;
const blocks =
  "p,li,h1,h2,h3,h4,h5,h6,td,th,dt,dd,pre,blockquote,figcaption,summary,details,div,section,article,main,body";
/** Drawn, or written twice. */
const skipped = "script,style,noscript,template,svg,math,button,.katex-html,.toc";

interface Piece {
  readonly node: Text;
  readonly start: number;
}

let pieces: Piece[] = [];

function readText(): string {
  pieces = [];
  let text = "";
  let block: Element | null = null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && text.length < longest) {
    const node = walker.currentNode as Text;
    const { parentElement: element, data } = node;
    if (element === null || data.trim() === "" || element.closest(skipped)) continue;
    const inside = element.closest(blocks);
    if (block !== null && inside !== block) text += "\n";
    block = inside;
    pieces.push({ node, start: text.length });
    text += data;
  }
  return text.slice(0, longest);
}

export function sendText(): void {
  parent.postMessage({ type: "plinth:text", text: readText() }, "*");
}

/** `ranges` are places in the text that was sent: starts and ends in turn, ascending. */
export function markRanges(ranges: unknown, kind: unknown): void {
  if (!Array.isArray(ranges) || !("highlights" in CSS)) return;
  const marked = new Highlight();
  let at = 0;
  for (let n = 0; n + 1 < ranges.length; n += 2) {
    const [start, end] = [Number(ranges[n]), Number(ranges[n + 1])];
    while (at > 0 && (pieces[at]?.start ?? 0) > start) at--;
    while (at < pieces.length && endOf(at) <= start) at++;
    for (let one = at; one < pieces.length && (pieces[one]?.start ?? end) < end; one++) {
      const piece = pieces[one];
      if (piece === undefined || !piece.node.isConnected) continue;
      const range = new StaticRange({
        startContainer: piece.node,
        startOffset: Math.max(0, start - piece.start),
        endContainer: piece.node,
        endOffset: Math.min(piece.node.length, end - piece.start),
      });
      marked.add(range);
    }
  }
  CSS.highlights.set(kind === "removed" ? "plinth-removed" : "plinth-added", marked);
}

const endOf = (at: number): number => {
  const piece = pieces[at];
  return piece === undefined ? 0 : piece.start + piece.node.length;
};
