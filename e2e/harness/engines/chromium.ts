// Chromium, driven by Playwright.
import { openBrowser } from "../browser.ts";
import { hung } from "../process.ts";
import { engineOf, type Engine } from "./engine.ts";

export async function openChromium(): Promise<Engine> {
  const browser = await openBrowser();
  const context = await browser.newContext();
  const page = await context.newPage();
  const frame = () => page.frames()[1] ?? Promise.reject(new Error("the page has no frame"));
  return engineOf({
    name: "Chromium",
    version: browser.version(),
    open: async (url) => void (await page.goto(url, { waitUntil: "load", timeout: hung })),
    evaluate: async (place, expression) => (place === "page" ? page : await frame()).evaluate(expression),
    moveTo: (x, y) => page.mouse.move(x, y),
    async pressAt(x, y, button, withControl) {
      if (withControl) await page.keyboard.down("Control");
      await page.mouse.click(x, y, { button });
      if (withControl) await page.keyboard.up("Control");
    },
    type: (text) => page.keyboard.type(text),
    pressKey: (key) => page.keyboard.press(key),
    tabs: () => Promise.resolve(context.pages().length),
    async closeOthers() {
      for (const one of context.pages()) if (one !== page) await one.close();
    },
    close: () => browser.close(),
  });
}
