// The script of pages that are plain HTML: copying, menus that close again, forms that apply choices, which of several links was followed last, and
// what loads the scripts that answer a frame's requests and work the paste box.
import { answerCopying } from "../viewer/copy.ts";
import { applyEarlierChoices, sendOnChange } from "#lib/form-choices.ts";
import { closeMenus } from "#lib/close-menus.ts";

answerCopying();
closeMenus();
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-applies]")) {
  sendOnChange(form);
  applyEarlierChoices(form);
}
window.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest<HTMLElement>("[data-one-of]") : null;
  if (link === null) return;
  for (const other of document.querySelectorAll<HTMLElement>(`[data-one-of="${link.dataset["oneOf"]}"]`)) {
    if (other === link) other.setAttribute("aria-current", "true");
    else other.removeAttribute("aria-current");
  }
});

/** Read once more by the script that it loads. */
const isRequest = (data: unknown): boolean =>
  /^plinth:(?:open|save|copy)$/.test(String((data as { type?: unknown } | null)?.type));

const asking = document.querySelector<HTMLIFrameElement>("iframe[data-requests]");
window.addEventListener("message", async (event) => {
  const script = asking?.dataset["requests"];
  if (!script || event.source !== asking.contentWindow || !isRequest(event.data)) return;
  await import(/* @vite-ignore */ script);
  window.dispatchEvent(new CustomEvent("plinth:request", { detail: event }));
});

const box = document.querySelector<HTMLElement>("[data-paste]");
for (const type of ["focusin", "pointerover", "dragenter"])
  box?.addEventListener(type, () => void import(/* @vite-ignore */ box.dataset["paste"] ?? ""), { once: true });
