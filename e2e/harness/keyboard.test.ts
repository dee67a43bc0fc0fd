// The keyboard driver on pages made for this test: it reaches what is reachable, and reports what is not.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Browser, Page } from "playwright-core";

import { openBrowser } from "./browser.ts";
import { chooseFrom, hasFocus, pressOn, tabTo, typeInto } from "./keyboard.ts";
import { hung } from "./process.ts";

setDefaultTimeout(2 * hung);

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
  await page.setContent(`
    <label>Name <input value="Ada"></label>
    <label>Colour <select><option>Red</option><option>Green</option></select></label>
    <label><input type="checkbox"> Agree</label>
    <button onclick="this.textContent = 'Sent'">Send</button>
    <button tabindex="-1">Unreachable</button>`);
});
afterAll(() => browser.close());

test("Tab goes forth and back, and what is there is pressed, typed in and chosen", async () => {
  await pressOn(page, page.getByRole("button", { name: "Send" }));
  await page.getByRole("button", { name: "Sent" }).waitFor();
  await tabTo(page, page.getByRole("checkbox"), { back: true });
  await page.keyboard.press("Space");
  expect(await page.getByRole("checkbox").isChecked()).toBe(true);
  await typeInto(page, page.getByLabel("Name"), "Grace");
  expect(await page.getByLabel("Name").inputValue()).toBe("Grace");
  await chooseFrom(page, page.getByLabel("Colour"), "Gre");
  expect(await page.getByLabel("Colour").inputValue()).toBe("Green");
  expect(await hasFocus(page.getByLabel("Colour"))).toBe(true);
});

test("what Tab never comes to is said, with where it came", async () => {
  const said = await tabTo(page, page.getByRole("button", { name: "Unreachable" })).catch(String);
  expect(said).toMatch(/Tab never came to .*Unreachable[^]*button Sent/);
});
