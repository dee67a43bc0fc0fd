// Firefox, driven by WebDriver BiDi.
import { launch } from "puppeteer-core";
import { hung } from "../process.ts";
import { engineOf, type Engine } from "./engine.ts";

/** @throws Error that says what to install */
export async function openFirefox(): Promise<Engine> {
  const executablePath = process.env["FIREFOX_PATH"] ?? Bun.which("firefox-esr") ?? Bun.which("firefox");
  if (executablePath === null) throw new Error("Firefox is not installed (Debian: apt-get install firefox-esr).");
  const browser = await launch({ browser: "firefox", executablePath, headless: true, timeout: hung });
  const page = await browser.newPage();
  page.setDefaultTimeout(hung);
  const frame = () => {
    const [, first] = page.frames();
    if (!first) throw new Error("the page has no frame");
    return first;
  };
  const others = async () => (await browser.pages()).filter((one) => one !== page);
  await Promise.all((await others()).map((one) => one.close()));
  return engineOf({
    name: "Firefox",
    version: await browser.version(),
    open: async (url) => void (await page.goto(url, { waitUntil: "load", timeout: hung })),
    evaluate: (place, expression) => (place === "page" ? page : frame()).evaluate(expression),
    moveTo: (x, y) => page.mouse.move(x, y),
    async pressAt(x, y, button, withControl) {
      if (withControl) await page.keyboard.down("Control");
      await page.mouse.click(x, y, { button });
      if (withControl) await page.keyboard.up("Control");
    },
    type: (text) => page.keyboard.type(text),
    pressKey: (key) => page.keyboard.press(key),
    tabs: async () => (await browser.pages()).length,
    closeOthers: async () => void (await Promise.all((await others()).map((one) => one.close()))),
    close: () => browser.close(),
  });
}
