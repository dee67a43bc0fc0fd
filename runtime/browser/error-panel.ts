// The panel in which a document shows in its frame what failed. Text only: a message may hold anything.
// It is in a shadow tree, so that no style of the document reaches it.

export interface Failure {
  readonly message: string;
  readonly component?: string;
  /** In the source, from 1. */
  readonly line?: number;
  readonly column?: number;
}

const STYLES = `
  :host { all: initial; position: fixed; inset: auto 16px 16px; z-index: 2147483647; display: block; }
  section {
    box-sizing: border-box; max-width: 720px; max-height: 45vh; margin: 0 auto; padding: 12px 16px; overflow: auto;
    border: 1px solid #E2DFD7; border-left: 3px solid #B93815; border-radius: 6px; background: #FFFFFF; color: #1B1A17;
    font: 13px/20px 'Geist Mono', ui-monospace, SFMono-Regular, Menlo, monospace;
    box-shadow: 0 4px 16px rgb(27 26 23 / 10%);
  }
  header { display: flex; justify-content: space-between; gap: 16px; font-weight: 600; }
  button { all: unset; cursor: pointer; color: #5F5B52; padding: 0 4px; border-radius: 4px; }
  button:focus-visible { outline: 2px solid #B93815; }
  p { margin: 6px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
  p span { display: block; color: #5F5B52; }
  @media (prefers-color-scheme: dark) {
    section { background: #1B1A17; color: #EFEDE7; border-color: #2C2A26; border-left-color: #FF8A5C; }
    button, p span { color: #ABA69B; }
    button:focus-visible { outline-color: #FF8A5C; }
  }
`;

let list: HTMLElement | null = null;

/** Adds a failure to the panel, which is made with the first one and again after it was closed. */
export function showFailure({ message, component, line, column }: Failure): void {
  list ??= createPanel();
  const entry = document.createElement("p");
  entry.textContent = message;
  const place = [
    ...(component === undefined ? [] : [`in ${component}`]),
    ...(line === undefined ? [] : [`line ${line}${column === undefined ? "" : `, column ${column}`}`]),
  ].join(", ");
  if (place) {
    const where = document.createElement("span");
    where.textContent = place;
    entry.append(where);
  }
  list.append(entry);
}

function createPanel(): HTMLElement {
  const host = document.createElement("div");
  host.id = "plinth-errors";
  const shadow = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLES;
  const panel = document.createElement("section");
  panel.setAttribute("role", "alert");
  const header = document.createElement("header");
  header.textContent = "This document failed";
  const close = document.createElement("button");
  close.type = "button";
  close.ariaLabel = "Close";
  close.textContent = "×";
  close.addEventListener("click", () => {
    host.remove();
    list = null;
  });
  header.append(close);
  panel.append(header);
  shadow.append(style, panel);
  document.body.append(host);
  return panel;
}
