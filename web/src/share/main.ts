// Sharing over the document, loaded with the first press of Share (app.html).
import { mount } from "svelte";
import SharePopover from "./SharePopover.svelte";

const popover = mount(SharePopover, { target: document.body });
window.addEventListener("plinth:share", (event) => {
  if (event instanceof CustomEvent && event.detail instanceof HTMLElement) popover.open(event.detail);
});
