// Loaded before the document's own module: tells what it throws, and what keeps it from starting.
import { tellFailure } from "./failure.ts";

window.addEventListener(
  "error",
  (event: Event) => {
    if (event instanceof ErrorEvent) {
      // No failure: a browser says so when a layout takes more than one turn, as charts' layouts do.
      if (event.message.startsWith("ResizeObserver loop")) return;
      const { filename: address, lineno: line, colno: column } = event;
      void tellFailure(event.error ?? event.message, { place: { address, line, column } });
    } else if (event.target instanceof HTMLScriptElement) {
      void tellFailure("A module of this document could not be loaded.");
    }
  },
  true, // a script element's own error does not bubble
);

window.addEventListener("unhandledrejection", ({ reason }) => void tellFailure(reason));
