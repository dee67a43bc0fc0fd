// The presses and typing of a visitor on each kind of page. No form is submitted.
import type { Page } from "playwright-core";

interface Press {
  readonly name: string;
  /** Only for pages whose path matches; for all pages without it. */
  readonly on?: RegExp;
  /** False if the page has no control of the kind. */
  readonly press: (page: Page) => Promise<boolean>;
}

const typed = { delay: 40 } as const;

export const presses: readonly Press[] = [
  {
    name: "search a dashboard",
    on: /^\/dashboard\/[^/]+(?:\/p\/[^/]+)?(?:\?|$)/,
    async press(page) {
      const field = page.locator("main input[type=search]");
      if ((await field.count()) === 0) return false;
      await field.click();
      await field.pressSequentially("doc", typed);
      await page.waitForURL((url) => url.searchParams.get("q")?.endsWith("doc") ?? false);
      await field.fill("");
      return true;
    },
  },
  {
    name: "write",
    on: /\/edit$/,
    async press(page) {
      await page.getByRole("textbox", { name: /^(?:Markdown|HTML|JSX) of/ }).click();
      await page.locator(".cm-content").waitFor();
      await page.keyboard.type("A few words ", typed);
      return true;
    },
  },
  {
    name: "step in a history",
    on: /\/history/,
    async press(page) {
      const before = page.getByRole("link", { name: "Previous version" }).first();
      if ((await before.count()) === 0) return false;
      await before.click();
      return true;
    },
  },
  {
    name: "open a menu",
    press: (page) => firstOf(page, "summary:visible", (found) => found.click()),
  },
  {
    name: "type into a field",
    press: (page) =>
      firstOf(page, "main :is(input:not([type]), input[type=text], textarea):visible", async (field) => {
        await field.click();
        await field.pressSequentially("some words", typed);
      }),
  },
  {
    name: "search everything",
    async press(page) {
      if ((await page.locator("[data-keys]").count()) === 0) return false;
      await page.keyboard.press("Control+k");
      const field = page.getByRole("dialog", { name: "Search" }).getByRole("combobox");
      await field.waitFor();
      await field.pressSequentially("doc", typed);
      return true;
    },
  },
];

async function firstOf(
  page: Page,
  selector: string,
  act: (found: ReturnType<Page["locator"]>) => Promise<unknown>,
): Promise<boolean> {
  const found = page.locator(selector).first();
  if ((await found.count()) === 0) return false;
  await act(found);
  return true;
}
