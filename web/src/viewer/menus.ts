// The menus of the bar open by themselves (they are details of one name); this closes them again.

/** Closes them by Escape, by a press elsewhere, and where the frame takes the focus: its clicks never come here. */
export function closeMenus(): void {
  const close = (except?: EventTarget | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("header details[open]")) {
      if (except instanceof Node && menu.contains(except)) continue;
      const held = menu.contains(document.activeElement);
      menu.open = false;
      if (held && except === undefined) menu.querySelector("summary")?.focus();
    }
  };
  window.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  window.addEventListener("pointerdown", ({ target }) => close(target));
  window.addEventListener("blur", () => close(null));
}
