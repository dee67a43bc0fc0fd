// The keys of the pages. Those that hold everywhere are here; what is on a page alone carries its key in its markup, as
// `data-key` beside the name in `data-action`, so that what cannot be pressed has no key.
import { keysTexts } from "#messages/keys.ts";

export interface Way {
  keys: string;
  title: string;
  path: string;
}

/** Where one goes by two keys, one after the other. For signed-in visitors. */
export const ways = (text = keysTexts()): readonly Way[] => [
  { keys: "g d", title: text.dashboard, path: "/dashboard" },
  { keys: "g s", title: text.settings, path: "/settings" },
  { keys: "g w", title: text.workspaces, path: "/settings/workspaces" },
  { keys: "g k", title: text.apiKeys, path: "/settings/keys" },
  { keys: "g c", title: text.connectAgent, path: "/settings/connect" },
];

/** How long the second key is waited for, in ms. */
export const waitMs = 1500;

/** The other keys, with what each does. */
export const common = (text = keysTexts()): readonly { keys: string; title: string }[] => [
  { keys: "/", title: text.focusSearch },
  { keys: "?", title: text.theseKeys },
];

/** Whether keys of a single letter are on in this browser (settings, appearance). For keys that app.html does not listen for. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem("keys") !== "off";
  } catch {
    // Where nothing can be kept, nothing was switched off.
    return true;
  }
}

interface PageAction {
  title: string;
  /** Null where it has none. */
  key: string | null;
  run(): void;
}

/** What can be done on the page, in its order; what stands in two places (a bar, and its menu on a narrow screen) once. */
export function pageActions(): PageAction[] {
  const actions = new Map<string, PageAction>();
  for (const element of document.querySelectorAll<HTMLElement>("[data-action]")) {
    const { action: title = "", key = null } = element.dataset;
    if (!actions.has(title)) actions.set(title, { title, key, run: () => element.click() });
  }
  return [...actions.values()];
}

/** Follows a path as a press on a link would, so that Kit's pages change without a reload. */
export function go(path: string): void {
  const link = document.createElement("a");
  link.href = path;
  // Kit listens on the element that holds the page.
  (document.body.firstElementChild ?? document.body).append(link);
  link.click();
  link.remove();
}
