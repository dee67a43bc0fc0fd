// Tells of a failure, in the frame and to the page around it: what happened, in which component, at which place of the
// source. Thrown by the document, an error may hold anything: it is read with care and shown as text.
import type { FrameMessage } from "@plinth/contract/frame-messages";
import { describe } from "./error-words.ts";
import { type Place, placeInSource, stackFrames, stackNames } from "./source-positions.ts";

// React's built form tells errors by number; the ones that documents make are told in words.
type Say = (first: string, second: string) => string;

const MESSAGES: Readonly<Record<string, Say>> = {
  31: (found) =>
    `An object cannot be rendered (found: ${found}). Render one of its properties, or a list made of them.`,
  60: () => "An element has both children and dangerouslySetInnerHTML; only one of them can be.",
  62: () => "The style property is an object, such as style={{ color: 'red' }}, not a text.",
  130: (type) => `What should be a component is ${type}. Is it declared, and imported by its right name?`,
  137: (tag) => `<${tag}> cannot have children.`,
  185: () => "Maximum update depth exceeded: an effect or a render sets state each time, which renders again.",
  300: () => "Rendered fewer hooks than before. Hooks must not come after an early return.",
  301: () => "Too many re-renders: a component sets state while it renders.",
  310: () => "Rendered more hooks than before. Hooks must not be within conditions or loops.",
  321: () => "A hook was called outside of a component's body.",
  482: () => "A component is an async function, which only works on a server.",
};

/** The message itself, but React's in words where it is one of these. */
function plainMessage(message: string): string {
  const [, code = ""] = /Minified React error #(\d+);/.exec(message) ?? [];
  const say = MESSAGES[code];
  if (!say) return message;
  const [first = "", second = ""] = [...message.matchAll(/args\[\]=([^&\s]*)/g)].map(([, text = ""]) => decoded(text));
  return say(first, second);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a message may be anyone's
  }
}

// The panel in which a document shows in its frame what failed. Text only: a message may hold anything.
// It is in a shadow tree, so that no style of the document reaches it.
interface Failure {
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
function showFailure({ message, component, line, column }: Failure): void {
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

/** One failure often causes others; only this many are reported. */
const MAX_TOLD = 5;
const MAX_MESSAGE = 2_000;

/** Details beside the error itself: React's component stack, or the position that the browser reports. */
export interface FailureContext {
  readonly componentStack?: string | undefined;
  readonly place?: Place & { readonly address: string };
}

const told = new Set<string>();

/** Reports each failure once, up to `MAX_TOLD`. */
export async function tellFailure(error: unknown, context: FailureContext = {}): Promise<void> {
  const message = plainMessage(describe(error)).slice(0, MAX_MESSAGE);
  if (told.has(message) || told.size >= MAX_TOLD) return;
  told.add(message);
  const failure: Failure = { message, ...(await whereabouts(error, context)) };
  showFailure(failure);
  window.parent.postMessage({ type: "plinth:error", ...failure } satisfies FrameMessage, "*");
}

async function whereabouts(
  error: unknown,
  { componentStack, place }: FailureContext,
): Promise<Omit<Failure, "message">> {
  const address = documentAddress();
  const inDocument = place && place.address.replace(/#.*$/, "") === address ? [{ name: "", ...place }] : [];
  const [thrown] = [...stackFrames(stackOf(error), address), ...inDocument];
  const around = componentStack ?? "";
  const [component] = stackFrames(around, address);
  return placeInSource(thrown ?? component, [...(component ? [component.name] : []), ...stackNames(around)]);
}

const documentAddress = (): string => location.href.replace(/#.*$/, "");

function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : "";
  } catch {
    return ""; // as above: then its place is not known
  }
}
