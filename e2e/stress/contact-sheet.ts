// Puts screenshots on one sheet for review.
import { parse } from "node:path";

import { openBrowser } from "../harness/browser.ts";

/** @returns the file written */
export async function writeContactSheet(screenshots: readonly string[], file: string): Promise<string> {
  const figures = await Promise.all(
    screenshots.map(async (screenshot) => {
      const file = Bun.file(screenshot);
      const data = Buffer.from(await file.arrayBuffer()).toString("base64");
      return `<figure><img src="data:${file.type};base64,${data}"><figcaption>${parse(screenshot).name}</figcaption></figure>`;
    }),
  );
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1700, height: 900 } });
    await page.setContent(`<style>
      body { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 12px; background: #888; font: 12px sans-serif }
      figure { margin: 0 } img { display: block; width: 100% } figcaption { overflow: hidden; white-space: nowrap }
    </style>${figures.join("")}`);
    await page.screenshot({ path: file, fullPage: true });
  } finally {
    await browser.close();
  }
  return file;
}
