// Uses a page by keyboard alone, as a person without a pointer does: Tab to the element, then press or type. It never
// sets the focus itself, and knows no page.
import type { Locator, Page } from "playwright-core";

/** The highest number of Tab stops before an element counts as unreachable; no page has as many. */
const mostStops = 200;

/**
 * True if the element has the focus; also in a shadow tree, where the document names its host. Looks again if the
 * element was replaced in between, as a field by its editor.
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
 * Presses Tab (Shift+Tab if `back`) until the element has the focus. Waits for the element first; throws an error with
 * the visited stops if Tab never reaches it.
 */
export async function tabTo(page: Page, target: Locator, { back = false } = {}): Promise<void> {
  await target.waitFor();
  await pressUntil(page, back ? "Shift+Tab" : "Tab", target, hasFocus);
}

/**
 * Chooses one of a group of radio buttons: Tab to the group, then the arrow keys. Again Tab where a navigation that ends late
 * takes the focus away.
 */
export async function pick(page: Page, radio: Locator): Promise<void> {
  await radio.waitFor();
  await pressUntil(page, async () => ((await isInGroup(radio)) ? "ArrowDown" : "Tab"), radio, hasFocus);
}

const isInGroup = (radio: Locator): Promise<boolean> =>
  radio.evaluate((wanted: HTMLInputElement) => {
    const at = document.activeElement;
    return at instanceof HTMLInputElement && at.form === wanted.form && at.name === wanted.name;
  });

async function pressUntil(
  page: Page,
  key: string | (() => Promise<string>),
  target: Locator,
  isThere: (target: Locator) => Promise<boolean>,
): Promise<void> {
  const stops: string[] = [];
  while (!(await isThere(target))) {
    if (stops.length === mostStops)
      throw new Error(
        `${typeof key === "string" ? key : "no key"} never came to ${String(target)}; it came to\n${stops.join("\n")}`,
      );
    await page.keyboard.press(typeof key === "string" ? key : await key());
    stops.push(await focused(page));
  }
}

/** Tabs to a link, a button or a box and presses it: with Enter by default (`Space` for a checkbox). */
export async function pressOn(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Tabs to a field and replaces its content. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

/** Tabs to a closed list and types enough of an option to choose it. */
export async function chooseFrom(page: Page, list: Locator, option: string): Promise<void> {
  await tabTo(page, list);
  await page.keyboard.type(option);
  const chosen = await list.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label.trim());
  if (!chosen?.startsWith(option)) throw new Error(`typing ${option} chose ${chosen}`);
}

/** The focused element, for the error message. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const words = element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    return `${element?.localName} ${words.trim().replaceAll(/\s+/g, " ").slice(0, 60)}`;
  });
