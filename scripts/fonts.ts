// `bun run fonts`: generates platform/fonts/, the faces of pages and documents, from the variable fonts in npm. A page and
// its frame each load their own copies, because the cache of a sandboxed frame is separate and lasts as long as the frame;
// so the files have only the weights in use. Knows no page.
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import subset from "subset-font";

import { root } from "./step.ts";

export const fontsFolder = join(root, "platform/fonts");

/** From that of text to that of bold text. */
const weights = { min: 400, max: 700, default: 400 };
/** The weight of a face whose bold text is rare enough for the browser to embolden it. */
const one = 400;

interface Face {
  readonly family: string;
  /** A stylesheet of npm, with a face for each range of characters. */
  readonly source: string;
  readonly weight: typeof weights | typeof one;
}

const faces: readonly Face[] = [
  { family: "Geist", source: "@fontsource-variable/geist/wght.css", weight: weights },
  { family: "Geist Mono", source: "@fontsource-variable/geist-mono/wght.css", weight: one },
  { family: "Newsreader", source: "@fontsource-variable/newsreader/wght.css", weight: weights },
  { family: "Newsreader", source: "@fontsource-variable/newsreader/wght-italic.css", weight: one },
];

/**
 * Faces of the system for the time until a file has arrived, scaled to its widths, so that text keeps its lines. Latin
 * alone, because the system's own choice for other scripts has a real bold and italic.
 */
const fallbacks = [
  { family: "Geist Fallback", locals: ["Arial", "Liberation Sans"], size: "102%" },
  { family: "Newsreader Fallback", locals: ["Times New Roman", "Liberation Serif"], size: "105%" },
];

export interface FontFile {
  readonly name: string;
  /** Where the package has the file that it is made of. */
  readonly source: string;
  readonly weight: Face["weight"];
}

const block = /\/\* ([\w-]+) \*\/\s*@font-face \{([^}]*)\}/g;

/** The stylesheet, and which files it names. */
export async function fontStyles(): Promise<{ styles: string; files: FontFile[] }> {
  const files: FontFile[] = [];
  const rules: string[] = [];
  for (const { family, source, weight } of faces) {
    const path = Bun.resolveSync(source, import.meta.dir);
    for (const [, named = "", declarations = ""] of (await readFile(path, "utf8")).matchAll(block)) {
      const of = (property: string) => new RegExp(`${property}: ([^;]+);`).exec(declarations)?.[1] ?? "";
      const name = `${named.replace("-wght-normal", "").replace("-wght-italic", "-italic")}.woff2`;
      files.push({ name, source: join(dirname(path), "files", `${named}.woff2`), weight });
      rules.push(
        rule({
          "font-family": `"${family}"`,
          "font-style": of("font-style"),
          "font-weight": typeof weight === "number" ? String(weight) : `${weight.min} ${weight.max}`,
          "font-display": "swap",
          src: `url("./${name}") format("woff2")`,
          "unicode-range": of("unicode-range").replaceAll(",", ", "),
        }),
      );
    }
  }
  for (const { family, locals, size } of fallbacks)
    rules.push(
      rule({
        "font-family": `"${family}"`,
        src: locals.map((name) => `local("${name}")`).join(", "),
        "size-adjust": size,
        "unicode-range": "U+0000-00FF, U+2000-206F",
      }),
    );
  const head = "/* Written by `bun run fonts`. */\n";
  return { styles: head + rules.join("\n"), files };
}

const rule = (declarations: Readonly<Record<string, string>>): string =>
  `@font-face {\n${Object.entries(declarations)
    .map(([name, value]) => `  ${name}: ${value};\n`)
    .join("")}}\n`;

/** Of each family, by the name of its file here. */
export async function licences(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { family, source } of faces) {
    const path = join(dirname(Bun.resolveSync(source, import.meta.dir)), "LICENSE");
    texts.set(`LICENSE-${family.toLowerCase().replace(" ", "-")}`, await readFile(path, "utf8"));
  }
  return texts;
}

/** A file of a variable font with only these weights, and every character and feature. */
export const withWeights = async ({ source, weight }: FontFile): Promise<Uint8Array> =>
  subset(await readFile(source), undefined, {
    keepAllGlyphs: true,
    variationAxes: { wght: weight },
    targetFormat: "woff2",
  });

if (import.meta.main) {
  const { styles, files } = await fontStyles();
  await rm(fontsFolder, { recursive: true, force: true });
  const sheet = join(fontsFolder, "fonts.css");
  await Bun.write(sheet, styles);
  Bun.spawnSync(["bunx", "oxfmt", sheet], { cwd: root });
  for (const [name, text] of await licences()) await Bun.write(join(fontsFolder, name), text);
  for (const file of files) await Bun.write(join(fontsFolder, file.name), await withWeights(file));
}
