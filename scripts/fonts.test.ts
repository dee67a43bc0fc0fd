import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { fontsFolder, fontStyles, licences, withWeights } from "./fonts.ts";

const { styles, files } = await fontStyles();

test("platform/fonts has the faces that bun run fonts writes, and no other file", async () => {
  const inOneLine = (sheet: string) => sheet.replaceAll(/\s+/g, " ").trim();
  expect(inOneLine(readFileSync(join(fontsFolder, "fonts.css"), "utf8"))).toBe(inOneLine(styles));
  const names = ["fonts.css", ...(await licences()).keys(), ...files.map(({ name }) => name)];
  expect(readdirSync(fontsFolder).toSorted()).toEqual(names.toSorted());
});

test("a font is a copy of the package's with only the weights in use", async () => {
  const [smallest] = files.toSorted((a, b) => size(a.name) - size(b.name));
  if (smallest === undefined) throw new Error("there is no font");
  expect(Buffer.from(await withWeights(smallest)).equals(readFileSync(join(fontsFolder, smallest.name)))).toBe(true);
  for (const { name, source } of files) expect(size(name)).toBeLessThan(statSync(source).size);
});

const size = (name: string): number =>
  existsSync(join(fontsFolder, name)) ? statSync(join(fontsFolder, name)).size : 0;
