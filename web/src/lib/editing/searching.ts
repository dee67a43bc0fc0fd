// Searching in the editor: loaded with the first key of it, or the first selection.
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export {
  findNext,
  findPrevious,
  gotoLine,
  openSearchPanel,
  selectNextOccurrence,
  selectSelectionMatches,
} from "@codemirror/search";

export const searching: Extension = [search({ top: true }), highlightSelectionMatches(), keymap.of(searchKeymap)];
