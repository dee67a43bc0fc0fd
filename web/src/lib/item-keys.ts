// The item that a key moves to in a list or grid, by the positions of the items on the screen.

/** The identifier of the item next to one, in the key's direction; null where the key is none or leads out of the list. */
export function itemAt(list: HTMLElement, from: string, key: string): string | null {
  const items = [...list.querySelectorAll<HTMLElement>("[data-artifact]")];
  const at = items.findIndex((item) => item.dataset["artifact"] === from);
  const top = items[0]?.offsetTop;
  const columns = Math.max(1, items.filter(({ offsetTop }) => offsetTop === top).length);
  const steps: Record<string, number> = {
    j: 1,
    k: -1,
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  const step = steps[key];
  return step === undefined || at === -1 ? null : (items[at + step]?.dataset["artifact"] ?? null);
}
