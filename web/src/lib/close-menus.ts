// Menus (`details[data-menu]`) open by themselves, also without script; this closes them again.

/**
 * Closes open menus by Escape, by a press elsewhere, and where a frame takes the focus: its clicks never come here.
 * Returns what ends that.
 */
export function closeMenus(): () => void {
  const ending = new AbortController();
  const close = (except?: EventTarget | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("[data-menu][open]")) {
      if (except instanceof Node && menu.contains(except)) continue;
      const held = menu.contains(document.activeElement);
      menu.open = false;
      if (held && except === undefined) menu.querySelector("summary")?.focus();
    }
  };
  const options = { signal: ending.signal };
  window.addEventListener("keydown", ({ key }) => key === "Escape" && close(), options);
  window.addEventListener("pointerdown", ({ target }) => close(target), options);
  window.addEventListener("blur", () => close(null), options);
  return () => ending.abort();
}
