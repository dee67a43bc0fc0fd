// Finds what the page's markup names for the script. Without the bar most of it isn't there.

/** The element of that name. */
export const part = (name: string, within: ParentNode = document): HTMLElement | null =>
  within.querySelector(`[data-part="${name}"]`);

/** A new copy of the one element in the template of that name. @throws where there is no such template */
export function copyOf(name: string): HTMLElement {
  const template = part(name);
  const element = template instanceof HTMLTemplateElement ? template.content.firstElementChild?.cloneNode(true) : null;
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no template ${name}`);
  return element;
}

/** Shows or hides what may not be there. */
export function show(element: HTMLElement | null, isShown = true): void {
  if (element) element.hidden = !isShown;
}
