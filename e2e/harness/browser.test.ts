// The browser for tests starts: the installed one, and the one inside the npm package if none is installed.
import { afterAll, expect, test } from "bun:test";

import { findChromium, openBrowser, openContext } from "./browser.ts";

const given = process.env["CHROMIUM_PATH"];
afterAll(() => {
  if (given === undefined) delete process.env["CHROMIUM_PATH"];
  else process.env["CHROMIUM_PATH"] = given;
});

for (const choice of [given, "package"]) {
  test(`a page is drawn by ${choice ?? "the first browser found"}`, async () => {
    if (choice !== undefined) process.env["CHROMIUM_PATH"] = choice;
    if (choice === "package") expect((await findChromium()).from).toBe("package");
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.setContent("<h1>Drawn</h1>");
      expect(await page.locator("h1").innerText()).toBe("Drawn");
      expect((await page.screenshot()).byteLength).toBeGreaterThan(500);
    } finally {
      await browser.close();
    }
  });
}

test("a context that was closed twice is given to one test", async () => {
  using server = Bun.serve({ port: 0, fetch: () => new Response() });
  const { origin } = server.url;
  const browser = await openBrowser();
  try {
    const closed = await openContext(browser, origin);
    await Promise.all([closed.close(), closed.close()]);
    await closed.close();
    const ofOwner = await openContext(browser, origin, "session=owner");
    const ofReader = await openContext(browser, origin);
    expect(ofOwner).toBe(closed);
    expect(await ofReader.cookies()).toEqual([]);
    await ofOwner.close();
    expect(await (await openContext(browser, origin)).cookies()).toEqual([]);
  } finally {
    await browser.close();
  }
});
