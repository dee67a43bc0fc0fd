// The editor's theme: the page's tokens, which apply inside its shadow tree, in both colour schemes. Code has the
// colours that readers see (runtime/browser/reading/code.css).
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const mono = "var(--font-mono)";
const sans = "var(--font-sans)";
const field = {
  height: "28px",
  border: "1px solid var(--color-line-strong)",
  borderRadius: "6px",
  background: "var(--color-ground)",
  color: "var(--color-ink)",
  font: `13px ${sans}`,
  padding: "0 8px",
  margin: "0",
};

export const editorTheme = EditorView.theme({
  "&": { height: "100%", color: "var(--color-ink)", backgroundColor: "var(--color-surface)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: mono, lineHeight: "20px", scrollbarColor: "var(--color-line-strong) transparent" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--color-accent)" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-cursor": { borderLeftColor: "var(--color-accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "light-dark(#f3d9cf, #4a2a1b)",
  },
  ".cm-activeLine": { backgroundColor: "light-dark(rgb(27 26 23 / 3.5%), rgb(239 237 231 / 4%))" },
  ".cm-gutters": {
    backgroundColor: "var(--color-surface)",
    color: "var(--color-muted)",
    border: "none",
    fontSize: "12px",
    paddingLeft: "4px",
  },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--color-ink)" },
  // As wide as the column of marks, which comes with the first mark.
  ".cm-lineNumbers": { marginRight: "14px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "32px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--color-accent-wash)",
    outline: "1px solid var(--color-line-strong)",
  },
  ".cm-selectionMatch": { backgroundColor: "light-dark(#f1efea, #2c2a26)" },
  ".cm-searchMatch": { backgroundColor: "light-dark(#f6e3b8, #4a3a12)", outline: "1px solid var(--color-line-strong)" },
  ".cm-searchMatch-selected": { backgroundColor: "light-dark(#f0b89f, #7a3a1c)" },
  ".cm-panels": { backgroundColor: "var(--color-sunken)", color: "var(--color-ink)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--color-line)" },
  ".cm-panel.cm-search": {
    padding: "8px 36px 8px 8px",
    font: `13px ${sans}`,
    display: "flex",
    flexWrap: "wrap",
    gap: "6px",
  },
  ".cm-panel.cm-search br": { flexBasis: "100%", content: "''", width: "100%" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "4px", fontSize: "12px" },
  ".cm-textfield": field,
  ".cm-button": {
    ...field,
    backgroundImage: "none",
    backgroundColor: "transparent",
    cursor: "pointer",
    "&:active": { backgroundImage: "none", backgroundColor: "var(--color-sunken)" },
  },
  ".cm-panel.cm-search [name=close]": {
    fontSize: "20px",
    color: "var(--color-muted)",
    padding: "4px 8px",
    cursor: "pointer",
  },
  ".cm-textfield:focus-visible, .cm-button:focus-visible, [name=close]:focus-visible": {
    outline: "2px solid var(--color-accent)",
    outlineOffset: "1px",
  },
  ".cm-tooltip": {
    border: "1px solid var(--color-line-strong)",
    borderRadius: "6px",
    backgroundColor: "var(--color-surface)",
    color: "var(--color-ink)",
    font: `13px/20px ${sans}`,
    maxWidth: "480px",
    overflow: "hidden",
  },
  ".cm-diagnostic": { padding: "6px 10px" },
  ".cm-diagnostic-error": { borderLeft: "2px solid var(--color-accent)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--color-accent)",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker-error": {
    content: "''",
    width: "8px",
    height: "8px",
    margin: "6px 2px",
    borderRadius: "50%",
    background: "var(--color-accent)",
  },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
});

const keyword = "light-dark(#a0310f, #ff9a73)";
const type = "light-dark(#0f635d, #7fcdc3)";

export const tokenColours = HighlightStyle.define([
  { tag: tags.comment, color: "light-dark(#6a655a, #948f84)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.tagName, tags.modifier, tags.self], color: keyword },
  {
    tag: [tags.string, tags.inserted, tags.monospace, tags.special(tags.string)],
    color: "light-dark(#44601a, #b4c97c)",
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.attributeName, tags.character],
    color: "light-dark(#855000, #e5b268)",
  },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.link, tags.url],
    color: "light-dark(#1f5888, #8fbde8)",
  },
  { tag: [tags.typeName, tags.className, tags.namespace], color: type },
  { tag: [tags.propertyName, tags.labelName], color: "light-dark(#5c4a92, #bcaee8)" },
  {
    tag: [tags.punctuation, tags.operator, tags.processingInstruction, tags.meta, tags.contentSeparator],
    color: "var(--color-muted)",
  },
  { tag: tags.heading, color: "var(--color-ink)", fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.invalid, color: keyword },
]);
