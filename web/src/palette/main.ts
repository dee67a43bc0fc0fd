// The search over everything, loaded with the first press of its key.
import { mount } from "svelte";
import Palette from "./Palette.svelte";

const palette = mount(Palette, { target: document.body });
window.addEventListener("plinth:palette", () => palette.open());
