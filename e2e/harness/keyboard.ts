// Using a page by its keys alone, as somebody without a pointer does: Tab until it is there, then press or type. Gives
// the focus to nothing by itself, and knows no page.
import type { Locator, Page } from "playwright-core";

/** Stops that Tab makes at most before what it looks for counts as unreachable; no page of ours has as many. */
const mostStops = 200;

/**
 * True where the element has the keyboard; in a shadow tree as well, where the document names its host. One that was
 * replaced between being found and being looked at, as a field by its editor, is looked for again.
 */
export async function hasFocus(target: Locator): Promise<boolean> {
  const found = await target.evaluate((element) => {
    if (!element.checkVisibility()) return "replaced";
    const root = element.getRootNode();
    return (root instanceof ShadowRoot ? root : document).activeElement === element ? "focused" : "not focused";
  });
  return found === "replaced" ? hasFocus(target) : found === "focused";
}

/**
 * Presses Tab (Shift+Tab where `back`) from where the focus is, until the element has it. Waits for the element first;
 * throws, with the stops that were made, where Tab never comes to it.
 */
export async function tabTo(page: Page, target: Locator, { back = false } = {}): Promise<void> {
  await target.waitFor();
  await pressUntil(page, back ? "Shift+Tab" : "Tab", target, hasFocus);
}

/** Goes to one of a group of radio buttons: with Tab to the group, and in it with the arrows, which choose. */
export async function pick(page: Page, radio: Locator): Promise<void> {
  await radio.waitFor();
  await pressUntil(page, "Tab", radio, isInGroup);
  await pressUntil(page, "ArrowDown", radio, hasFocus);
}

const isInGroup = (radio: Locator): Promise<boolean> =>
  radio.evaluate((wanted: HTMLInputElement) => {
    const at = document.activeElement;
    return at instanceof HTMLInputElement && at.form === wanted.form && at.name === wanted.name;
  });

async function pressUntil(
  page: Page,
  key: string,
  target: Locator,
  isThere: (target: Locator) => Promise<boolean>,
): Promise<void> {
  const stops: string[] = [];
  while (!(await isThere(target))) {
    if (stops.length === mostStops)
      throw new Error(`${key} never came to ${String(target)}; it came to\n${stops.join("\n")}`);
    await page.keyboard.press(key);
    stops.push(await focused(page));
  }
}

/** Goes to a link, a button or a box with Tab and presses it: with Enter, unless told (`Space` for a checkbox). */
export async function pressOn(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field with Tab and types in place of what it holds. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

/** Goes to a closed list of choices with Tab and types as much of one as finds it. */
export async function chooseFrom(page: Page, list: Locator, option: string): Promise<void> {
  await tabTo(page, list);
  await page.keyboard.type(option);
  const chosen = await list.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label.trim());
  if (!chosen?.startsWith(option)) throw new Error(`typing ${option} chose ${chosen}`);
}

/** The element that has the focus, for somebody who reads why a test failed. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const words = element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    return `${element?.localName} ${words.trim().replaceAll(/\s+/g, " ").slice(0, 60)}`;
  });
