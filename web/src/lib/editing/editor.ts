// The editor: CodeMirror in a shadow tree, where its styles need no leave of the page's policy (docs/decisions/web.md,
// "Editor in a shadow tree"). Loaded where one begins to write; languages, searching and marking are loaded by
// themselves, as they are needed.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, syntaxHighlighting, type LanguageSupport } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type KeyBinding,
} from "@codemirror/view";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { editingTexts } from "#messages/editing.ts";
import { editorPhrases } from "#messages/editor-phrases.ts";
import { editorTheme, tokenColours } from "./editor-theme.ts";
import type * as Marking from "./marking.ts";
import type * as Searching from "./searching.ts";

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
  /** So far down, in pixels. */
  scrollTo(top: number): void;
  focus(): void;
  close(): void;
}

interface EditorOptions {
  readonly text: string;
  /** From where to where is selected: the cursor is at `head`. */
  readonly selection: { readonly anchor: number; readonly head: number };
  readonly type: ArtifactType;
  /** Its accessible name. */
  readonly label: string;
  readonly wraps: boolean;
  readonly changed: (text: () => string) => void;
  readonly save: () => void;
}

/** Loads what makes the language. */
const languages: Readonly<Record<ArtifactType, () => Promise<() => LanguageSupport>>> = {
  async md() {
    const { markdown } = await import("@codemirror/lang-markdown");
    return () => markdown();
  },
  async html() {
    const { html } = await import("@codemirror/lang-html");
    return () => html();
  },
  async jsx() {
    const { javascript } = await import("@codemirror/lang-javascript");
    return () => javascript({ jsx: true, typescript: true });
  },
};

/** When the page has nothing else to do, or a second later: on a slow machine a key would wait for colours otherwise. */
const atLeisure = (): Promise<unknown> =>
  new Promise((go) => {
    if ("requestIdleCallback" in window) requestIdleCallback(go, { timeout: 1000 });
    else setTimeout(go, 50);
  });

/** What each key of searching does once that is loaded. */
const searchKeys = {
  "Mod-f": "openSearchPanel",
  F3: "findNext",
  "Shift-F3": "findPrevious",
  "Mod-g": "findNext",
  "Shift-Mod-g": "findPrevious",
  "Mod-Shift-l": "selectSelectionMatches",
  "Mod-Alt-g": "gotoLine",
  "Mod-d": "selectNextOccurrence",
} as const;
type SearchKey = keyof typeof searchKeys;

/** Opens it in an empty element. */
export function openEditor(host: HTMLElement, options: EditorOptions): Editor {
  const { text, selection, type, label, wraps, changed, save } = options;
  const wrapping = new Compartment();
  const language = new Compartment();
  const searching = new Compartment();
  const marking = new Compartment();
  const wrap = (isOn: boolean): Extension => (isOn ? EditorView.lineWrapping : []);
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      selection,
      extensions: [
        lineNumbers(),
        // Ahead of what stands for both until they come.
        searching.of([]),
        marking.of([]),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        EditorState.tabSize.of(2),
        EditorState.phrases.of(editorPhrases()),
        // Ahead of the rest: in the browser it means to save the page.
        keymap.of([{ key: "Mod-s", preventDefault: true, run: () => (save(), true) }]),
        // Escape, then Tab, leaves the editor.
        keymap.of([...searchKeyBindings(), ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          tabindex: "0",
          "aria-label": label,
          "aria-description": editingTexts().leaveByKeys,
          spellcheck: type === "md" ? "true" : "false",
          autocapitalize: "off",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(() => update.state.doc.toString());
          // Text equal to the selection is highlighted as well.
          if (!update.state.selection.main.empty) void search();
        }),
        language.of([]),
        wrapping.of(wrap(wraps)),
        syntaxHighlighting(tokenColours),
        editorTheme,
      ],
    }),
  });
  function searchKeyBindings(): KeyBinding[] {
    return (Object.keys(searchKeys) as SearchKey[]).map((key) => ({
      key,
      preventDefault: true,
      run: () => (void search().then((commands) => commands[searchKeys[key]](view)), true),
    }));
  }

  let loadingSearch: Promise<typeof Searching> | undefined;
  function search() {
    loadingSearch ??= import("./searching.ts").then((loaded) => {
      view.dispatch({ effects: searching.reconfigure(loaded.searching) });
      return loaded;
    });
    return loadingSearch;
  }

  let marked: readonly Marked[] = [];
  let marks: typeof Marking | undefined;
  async function mark(problems: readonly Marked[]): Promise<void> {
    marked = problems;
    // Until something is to be marked there is nothing to remove either.
    if (marks === undefined && problems.length === 0) return;
    if (marks === undefined) {
      const loaded = await import("./marking.ts");
      if (marks === undefined) view.dispatch({ effects: marking.reconfigure(loaded.marking) });
      marks = loaded;
    }
    const places = marked.map((problem) => ({ at: placeOf(problem), message: problem.message }));
    view.dispatch(marks.diagnosticsAt(view.state, places));
  }

  /** Each step by itself takes a slow machine as long as one waits for a key without noticing. */
  async function colour(): Promise<void> {
    await atLeisure();
    const make = await languages[type]();
    await atLeisure();
    const support = make();
    await atLeisure();
    view.dispatch({ effects: language.reconfigure(support) });
  }
  void colour();

  const placeOf = ({ line, column }: Marked): number => {
    const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return Math.min(found.from + Math.max(column - 1, 0), found.to);
  };
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark: (problems) => void mark(problems),
    goTo(problem) {
      const anchor = placeOf(problem);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    wrap: (isOn) => view.dispatch({ effects: wrapping.reconfigure(wrap(isOn)) }),
    scrollTo: (top) =>
      // Only what has been drawn has a height.
      view.requestMeasure({
        read: () => undefined,
        write: () => view.scrollDOM.scrollTo({ top, behavior: "instant" }),
      }),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
