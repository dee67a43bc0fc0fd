// The editor: CodeMirror in a shadow tree, where its styles need no leave of the page's policy (docs/decisions/0121).
// Loaded only where one writes; each language is loaded by itself.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, syntaxHighlighting, type LanguageSupport } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { editorTheme, tokenColours } from "./editor-theme.ts";

/** A place in the source that something is wrong with; counted from 1. */
export interface Marked {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface Editor {
  text(): string;
  /** Puts another text in the place of what is there; it can be undone. */
  replace(text: string): void;
  mark(problems: readonly Marked[]): void;
  goTo(problem: Marked): void;
  wrap(isOn: boolean): void;
  focus(): void;
  close(): void;
}

export interface EditorOptions {
  readonly text: string;
  readonly type: ArtifactType;
  /** What it is called to whoever does not see it. */
  readonly label: string;
  readonly wraps: boolean;
  readonly changed: (text: () => string) => void;
  readonly save: () => void;
}

const languages: Readonly<Record<ArtifactType, () => Promise<LanguageSupport>>> = {
  md: async () => (await import("@codemirror/lang-markdown")).markdown(),
  html: async () => (await import("@codemirror/lang-html")).html(),
  jsx: async () => (await import("@codemirror/lang-javascript")).javascript({ jsx: true, typescript: true }),
};

/** Opens it in an empty element. */
export function openEditor(host: HTMLElement, options: EditorOptions): Editor {
  const { text, type, label, wraps, changed, save } = options;
  const wrapping = new Compartment();
  const language = new Compartment();
  const wrap = (isOn: boolean): Extension => (isOn ? EditorView.lineWrapping : []);
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        EditorState.tabSize.of(2),
        // Ahead of the rest: in the browser it means to save the page.
        keymap.of([{ key: "Mod-s", preventDefault: true, run: () => (save(), true) }]),
        // Escape, then Tab, leaves the editor.
        keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          tabindex: "0",
          "aria-label": label,
          "aria-description": "Tab indents. Escape and then Tab leaves the editor.",
          spellcheck: type === "md" ? "true" : "false",
          autocapitalize: "off",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(() => update.state.doc.toString());
        }),
        language.of([]),
        wrapping.of(wrap(wraps)),
        syntaxHighlighting(tokenColours),
        editorTheme,
      ],
    }),
  });
  void languages[type]().then((support) => view.dispatch({ effects: language.reconfigure(support) }));

  const placeOf = ({ line, column }: Marked): number => {
    const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return Math.min(found.from + Math.max(column - 1, 0), found.to);
  };
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem): Diagnostic => {
            const from = placeOf(problem);
            return { from, to: view.state.doc.lineAt(from).to, severity: "error", message: problem.message };
          }),
        ),
      ),
    goTo(problem) {
      const anchor = placeOf(problem);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    wrap: (isOn) => view.dispatch({ effects: wrapping.reconfigure(wrap(isOn)) }),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
