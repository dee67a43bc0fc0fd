// Where toasts are shown: one for the page, put there when it is first loaded.
import { mount } from "svelte";
import Toaster from "./Toaster.svelte";

mount(Toaster, { target: document.body });
// Sonner's region is a live one by its attributes; this is the role that goes with them.
document.body.querySelector(":scope > section[aria-live]")?.setAttribute("role", "status");

export { toast as sonner } from "svelte-sonner";
