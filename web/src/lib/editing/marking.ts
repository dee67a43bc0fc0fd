// Marks problems of a text in the editor: loaded with the first problem.
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import type { EditorState, Extension, TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** The column of marks takes the place that the theme keeps free for it. */
export const marking: Extension = [lintGutter(), EditorView.theme({ ".cm-lineNumbers": { marginRight: "0" } })];

/** `at` counts characters of the text; what was marked before is not any more. */
export const diagnosticsAt = (
  state: EditorState,
  places: readonly { readonly at: number; readonly message: string }[],
): TransactionSpec =>
  setDiagnostics(
    state,
    places.map(({ at, message }): Diagnostic => ({
      from: at,
      to: state.doc.lineAt(at).to,
      severity: "error",
      message,
    })),
  );
