// Where toasts are shown: one for the page, put there when it is first loaded.
import { mount } from "svelte";
import Toaster from "./components/Toaster.svelte";

mount(Toaster, { target: document.body });

export { toast as sonner } from "svelte-sonner";
