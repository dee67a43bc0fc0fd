// Answers the keys that app.html passes on; loaded with the first of them.
import { go, pageActions, waitMs, ways } from "#lib/keys.ts";
import { showKeys } from "./sheet.ts";

const button = (): HTMLElement | null => document.querySelector("[data-keys]");

/** The first of two keys, and when it was pressed. */
let first: { key: string; at: number } | undefined;

window.addEventListener("plinth:press", (event) => {
  if (event instanceof CustomEvent && typeof event.detail === "string") press(event.detail);
});

function press(key: string): void {
  if (key === "search") return void openPalette();
  if (document.querySelector("dialog[open]")) return;
  const before = first !== undefined && performance.now() - first.at < waitMs ? `${first.key} ` : "";
  first = undefined;
  const way = ways().find(({ keys }) => keys === before + key);
  if (way !== undefined) {
    if (isSignedIn()) go(way.path);
    return;
  }
  if (ways().some(({ keys }) => keys.startsWith(`${key} `))) {
    first = { key, at: performance.now() };
    return;
  }
  if (key === "?") return showKeys(isSignedIn());
  if (key === "/") return focusSearch();
  pageActions()
    .find((action) => action.key === key)
    ?.run();
}

const isSignedIn = (): boolean => button()?.dataset["signedIn"] !== undefined;

/** The page's own search where it has one. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (field === null) return void openPalette();
  // Pressed before this script came and answered only now: text typed in between stays.
  if (field === document.activeElement) return;
  field.focus();
  field.select();
}

async function openPalette(): Promise<void> {
  const script = button()?.dataset["palette"];
  if (script === undefined) return;
  await import(/* @vite-ignore */ script);
  window.dispatchEvent(new Event("plinth:palette"));
}
