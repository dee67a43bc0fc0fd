// Copies a link or the source, and says so for a moment, to the eye and to a screen reader.
import { copyTexts } from "#messages/copy.ts";
import { part } from "#lib/parts.ts";

const saidMs = 1800;

/** Answers presses on elements with `data-copy`, the text itself, or `data-copy-from`, where to load it. */
export function answerCopying(): void {
  window.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy], [data-copy-from]") : null;
    if (button) void copy(button);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: text, copyFrom } = button.dataset;
  try {
    // Given as a promise, since some browsers let a page write only at the press itself.
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": text ?? loaded(copyFrom ?? "") })]);
    say(button, copyTexts().copied, true);
  } catch {
    // Clipboards need https or localhost and the visitor's leave.
    say(button, copyTexts().couldNotCopy, false);
  }
}

async function loaded(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The source was answered with ${answer.status}`);
  return new Blob([await answer.text()], { type: "text/plain" });
}

function say(button: HTMLElement, words: string, isCopied: boolean): void {
  const said = part("said");
  if (said) said.textContent = words;
  const label = button.querySelector("span");
  const before = label?.textContent ?? "";
  if (label) label.textContent = words;
  else button.toggleAttribute("data-copied", isCopied);
  button.inert = true;
  setTimeout(() => {
    if (said) said.textContent = "";
    if (label) label.textContent = before;
    button.removeAttribute("data-copied");
    button.inert = false;
  }, saidMs);
}
