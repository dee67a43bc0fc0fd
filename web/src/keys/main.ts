// Answers the keys that app.html passes on; loaded with the first of them.
import { common, go, pageActions, waitMs, ways } from "#lib/keys.ts";
import { keysTexts } from "#messages/keys.ts";
import { richParts } from "#messages/rich.ts";

// The sheet that says which keys the page has. Titles of actions are put in as text.
type Row = { keys: string; title: string };

/** Shows it; closing gives the focus back to where it was. */
function showKeys(isSignedIn: boolean): void {
  const text = keysTexts();
  const dialog = made("dialog", "keys-sheet sheet-dialog");
  dialog.setAttribute("aria-labelledby", "keys-title");
  const title = made("h2", "font-serif text-20 font-medium tracking-tight", text.title);
  title.id = "keys-title";
  const close = made("button", "button-quiet h-8!", text.close);
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  const head = made("div", "flex items-center justify-between gap-4");
  head.append(title, close);
  const own = pageActions().flatMap(({ key, title }) => (key === null ? [] : [{ keys: key, title }]));
  const isMac = document.querySelector("[data-keys]")?.getAttribute("title")?.includes("⌘") ?? false;
  const search = { keys: isMac ? "⌘ K" : "Ctrl K", title: text.search };
  dialog.append(head, ...list(text.onThisPage, own));
  // Its frame is closed to the page, and what is pressed in it never comes here.
  if (document.querySelector("iframe[sandbox]")) {
    dialog.append(made("p", "mt-2 text-13 text-muted", text.inFrame));
  }
  dialog.append(...list(text.everywhere, [search, ...common()]));
  if (isSignedIn) {
    const off = made("p", "mt-5 border-t border-line pt-4 text-13 text-muted");
    for (const part of richParts(text.switchOff))
      off.append(part.tag === undefined ? part.text : settingsLink(part.text));
    dialog.append(...list(text.goTo, ways()), off);
  }
  // A press on the backdrop is one on the dialog itself: what is in it fills it.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function settingsLink(words: string): HTMLElement {
  const link = made("a", "link", words);
  link.href = "/settings/appearance";
  return link;
}

function list(title: string, rows: readonly Row[]): HTMLElement[] {
  if (rows.length === 0) return [];
  const terms = made("dl", "mt-1.5");
  for (const { keys, title } of rows) {
    const row = made("div", "flex items-baseline justify-between gap-6 border-b border-line py-1.5 last:border-0");
    const keyed = made("dd", "flex flex-none gap-1");
    keyed.append(...keys.split(" ").map((key) => made("kbd", "key", key)));
    row.append(made("dt", "min-w-0", title), keyed);
    terms.append(row);
  }
  return [made("h3", "mt-5 text-12 text-muted", title), terms];
}

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = "",
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

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
