// Tells the page around an html document what its scripts throw. jsx has report.ts, which knows the places of its source.
import { describe } from "./error-words.ts";
import { tellPage } from "./links.ts";

/** One error often causes others; only this many are told. */
const MAX_TOLD = 5;
const MAX_MESSAGE = 500;

/** `onError` is called for each one, told or not. */
export function tellScriptErrors(onError: () => void): void {
  const told = new Set<string>();
  const tell = (error: unknown, line?: number): void => {
    onError();
    const message = describe(error).slice(0, MAX_MESSAGE);
    if (told.has(message) || told.size >= MAX_TOLD) return;
    told.add(message);
    tellPage({ type: "plinth:error", message, ...(line === undefined ? {} : { line }) });
  };
  window.addEventListener(
    "error",
    (event: Event) => {
      // No failure: a browser says so when a layout takes more than one turn, as charts' layouts do.
      if (!(event instanceof ErrorEvent) || event.message.startsWith("ResizeObserver loop")) return;
      // The guard adds no line to the source.
      const isHere = event.filename === location.href.replace(/#.*$/, "");
      tell(event.error ?? event.message, isHere ? event.lineno : undefined);
    },
    true, // ahead of any listener of the document's own
  );
  window.addEventListener("unhandledrejection", ({ reason }) => tell(reason), true);
}
