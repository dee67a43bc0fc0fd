// Footnotes as GitHub reads them: `[^label]` in text, `[^label]: …` as a block, listed where first referred to.
// Marks what it makes with data attributes; what a footnote looks like is markdown-marks.ts.
import type { MarkdownIt } from "markdown-it";
import type { StateBlock, StateCore, StateInline, Token } from "markdown-it";

/** Labels are a word; nothing longer is looked for. */
const label = /\[\^([^\s[\]]{1,200})\]/y;

interface Note {
  readonly tokens: Token[];
  /** From 1, in the order of the first references; null until then. */
  number: number | null;
  references: number;
}

interface Environment {
  footnotes?: Map<string, Note>;
  cited?: Note[];
}

const notesOf = (env: Environment): Map<string, Note> => (env.footnotes ??= new Map());
const keyOf = (name: string): string => name.toLowerCase();

export function withFootnotes(parser: MarkdownIt): void {
  parser.block.ruler.before("reference", "footnote", definition, { alt: ["paragraph", "reference"] });
  parser.inline.ruler.before("link", "footnote", reference);
  parser.core.ruler.before("inline", "footnotes_taken", collect);
  parser.core.ruler.after("inline", "footnotes_listed", append);
  const { rules } = parser.renderer;
  rules["footnote_reference"] = (tokens, index) => {
    const { number, reference } = (tokens[index]?.meta ?? {}) as { number: number; reference: number };
    return `<sup data-footnote="${number}-${reference}">${number}</sup>`;
  };
}

const labelAt = (src: string, at: number): string | null => {
  label.lastIndex = at;
  return label.exec(src)?.[1] ?? null;
};

function definition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const name = labelAt(state.src, start);
  if (name === null) return false;
  const after = start + name.length + 3;
  if (state.src[after] !== ":" || after > (state.eMarks[startLine] ?? 0)) return false;
  if (silent) return true;
  const open = state.push("footnote_open", "", 1);
  open.meta = { name };
  readContent(state, startLine, endLine, after + 1);
  state.push("footnote_close", "", -1);
  return true;
}

/** The rest of the line and what is indented by four, as the parser reads a list item's. */
function readContent(state: StateBlock, startLine: number, endLine: number, from: number): void {
  const { parentType, blkIndent } = state;
  const kept = [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] as const;
  let start = from;
  while (state.src[start] === " " || state.src[start] === "\t") start++;
  state.blkIndent += 4;
  state.bMarks[startLine] = start;
  state.tShift[startLine] = 0;
  state.sCount[startLine] = state.blkIndent;
  state.parentType = "footnote";
  state.md.block.tokenize(state, startLine, endLine);
  state.parentType = parentType;
  state.blkIndent = blkIndent;
  [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] = kept as [number, number, number];
}

/** Takes the definitions out of the text; the first of a name counts. */
function collect(state: StateCore): void {
  const notes = notesOf(state.env as Environment);
  const open: Note[] = [];
  state.tokens = state.tokens.filter((token) => {
    if (token.type === "footnote_open") {
      const key = keyOf((token.meta as { name: string }).name);
      const note: Note = { tokens: [], number: null, references: 0 };
      if (!notes.has(key)) notes.set(key, note);
      open.push(note);
      return false;
    }
    if (token.type === "footnote_close") return open.pop() === undefined;
    open.at(-1)?.tokens.push(token);
    return open.length === 0;
  });
}

function reference(state: StateInline, silent: boolean): boolean {
  const env = state.env as Environment;
  if (state.src[state.pos + 1] !== "^" || !env.footnotes?.size) return false;
  const name = labelAt(state.src, state.pos);
  const note = name === null ? undefined : env.footnotes.get(keyOf(name));
  if (name === null || !note) return false;
  if (!silent) {
    note.number ??= (env.cited ??= []).push(note);
    state.push("footnote_reference", "", 0).meta = { number: note.number, reference: ++note.references };
  }
  state.pos += name.length + 3;
  return true;
}

/** Appends the referenced notes; a note may cite further ones while its text is read. */
function append(state: StateCore): void {
  const { cited } = state.env as Environment;
  if (!cited) return;
  for (const { tokens } of cited) {
    for (const token of tokens) {
      if (token.type === "inline") state.md.inline.parse(token.content, state.md, state.env, (token.children ??= []));
    }
  }
  const html = (content: string) => state.tokens.push(Object.assign(new state.Token("html_block", "", 0), { content }));
  html("<section data-footnotes><ol>\n");
  for (const { tokens, number, references } of cited) {
    html(`<li data-footnote="${number}-${references}">\n`);
    for (const token of tokens) state.tokens.push(token);
    html("</li>\n");
  }
  html("</ol></section>\n");
}
