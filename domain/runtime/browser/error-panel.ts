// The text a document shows in its frame when it fails. Text only: a message may hold anything.

const MAX_ERRORS = 5;
const MAX_LENGTH = 2_000;

/** Appends an error's message to the panel, which is made with the first one. */
export function showError(error: unknown): void {
  const panel = document.getElementById("plinth-errors") ?? createPanel();
  const text = describe(error).slice(0, MAX_LENGTH);
  const shown = [...panel.querySelectorAll("pre")].map((line) => line.textContent);
  if (shown.includes(text) || shown.length >= MAX_ERRORS) return;
  const line = document.createElement("pre");
  line.textContent = text;
  line.style.cssText = "margin:4px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;font:inherit";
  panel.append(line);
}

// Thrown by the document, so even reading it may throw.
function describe(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "An error that cannot be described";
  }
}

function createPanel(): HTMLElement {
  const panel = document.createElement("section");
  panel.id = "plinth-errors";
  panel.setAttribute("role", "alert");
  panel.style.cssText =
    "margin:16px;padding:12px 16px;border:1px solid #E2DFD7;border-left:3px solid #B93815;border-radius:6px;" +
    "background:#FFFFFF;color:#1B1A17;font:13px/20px 'Geist Mono',ui-monospace,monospace";
  const title = document.createElement("strong");
  title.textContent = "This document failed";
  panel.append(title);
  document.body.append(panel);
  return panel;
}
