// Loaded before the document's own module: shows what it throws, and what keeps it from starting.
import { showError } from "./error-panel.ts";

window.addEventListener(
  "error",
  (event: Event) => {
    if (event instanceof ErrorEvent) showError(event.error ?? event.message);
    else if (event.target instanceof HTMLScriptElement) showError("A module of this document could not be loaded.");
  },
  true, // a script element's own error does not bubble
);

window.addEventListener("unhandledrejection", ({ reason }) => showError(reason));
