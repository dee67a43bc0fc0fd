// Tailwind's rules for the classes that a jsx document uses, as one stylesheet, for a thread.
// Classes are found as Tailwind itself finds them: every word of the source that may be one.
import { Scanner } from "@tailwindcss/oxide";
import { compile, type Config } from "tailwindcss";
import { componentClasses } from "./component-classes.ts";
import { type FilesBeside, importedPath, nothingBeside } from "./files-beside.ts";
import { type DarkBy, fadedColours, fades, loadStylesheet, styleEntry } from "./style-sheets.ts";
import type { ConfigValue, TailwindConfig } from "./tailwind-config.ts";
import { isTailwindPlugin, tailwindPlugin, tailwindPluginWith } from "./tailwind-plugins.ts";

/**
 * Style sheets beside a document that are written for Tailwind: they are compiled with its classes, because no browser knows
 * `@apply` or `@theme`. Any other style sheet is linked as it is.
 */
export interface OwnSheet {
  readonly path: string;
  readonly text: string;
}

const forTailwind =
  /@(?:tailwind|apply|theme|utility|variant|custom-variant|config|plugin|source|reference)\b|@import\s+(?:url\(\s*)?["']?(?:tailwindcss|tw-animate-css)\b/;
/** What every document has already, and what would load code. */
const alreadyThere =
  /@import\s+(?:url\(\s*)?["']?(?:tailwindcss|tw-animate-css)[^;]*;|@tailwind\s[^;]*;|@(?:config|plugin|source|reference)\s[^;{]*;/g;

/** Null for a style sheet that is linked. */
export function ownSheet(path: string, { texts }: FilesBeside): OwnSheet | null {
  const text = texts.get(path);
  return text === undefined ? null : tailwindSheet(path, text);
}

/** Null for a text that browsers know as it is. */
export const tailwindSheet = (path: string, text: string): OwnSheet | null =>
  forTailwind.test(text)
    ? {
        path,
        text: text.replaceAll(alreadyThere, (rule) => (loadsPlugin(rule) ? rule : rule.replaceAll(/[^\n]/g, " "))),
      }
    : null;

const loadsPlugin = (rule: string): boolean =>
  isTailwindPlugin(/^@plugin\s+["']([^"']+)["']\s*;$/.exec(rule)?.[1] ?? "");

/** The text of a style sheet that another one imports by its path. @throws Error where there is none */
function importedSheet(beside: FilesBeside, from: string, specifier: string): OwnSheet {
  const relative = /^\.{1,2}\//.test(specifier) ? specifier : `./${specifier}`;
  const path = importedPath(beside, from, relative);
  const text = path === null ? undefined : beside.texts.get(path);
  if (path === null || text === undefined)
    throw new Error(`${JSON.stringify(specifier)} is no style sheet beside the document.`);
  return { path, text };
}

/** Of a document with more words, those beyond are taken for prose. */
const MAX_CANDIDATES = 20_000;
/** The scanner's time grows with the square of what has no space in it; a word of more is looked at in parts. */
const UNBROKEN = /\S{1000}/g;
/** Characters of the sheet. */
export const stylesMax = 1024 * 1024;

/** Escaped, a slash is the same in a string, a name or an address, which is where one can come after "<". */
export const styleElementText = (css: string): string => css.replaceAll("</", "<\\/");

/** What a document has for Tailwind besides its classes. */
interface OwnStyles {
  /** Its style sheets that are compiled with the classes. */
  readonly sheets: readonly OwnSheet[];
  /** Where the sheets lead that those import. */
  readonly beside: FilesBeside;
  readonly config: TailwindConfig | null;
}

/**
 * The text of one style element; "" for a document that uses no class, which keeps the browser's own styles. Null where
 * it would be longer than 1 MiB. `modules` are its imports: components have their own classes. @throws Error where one of the
 * given style sheets is wrong, or the configuration
 */
export async function stylesOf(
  source: string,
  modules: readonly string[],
  { sheets, beside, config }: OwnStyles = { sheets: [], beside: nothingBeside, config: null },
): Promise<string | null> {
  const ofComponents = componentClasses(modules);
  const isStyled = sheets.length > 0 || ofComponents.length > 0 || /\bclass(Name|List)?\b/.test(source);
  if (!isStyled) return "";
  const words = new Scanner({ sources: [] }).scanFiles([
    { content: source.replaceAll(UNBROKEN, "$& "), extension: "tsx" },
  ]);
  const own = words.filter(mayBeClass).slice(0, MAX_CANDIDATES);
  const dark = modules.includes("next-themes") ? "class" : (darkIn(config) ?? darkBy(own));
  const entry = [
    styleEntry({ dark, fades: fades(own), preflight: hasPreflight(config) }),
    // Its classes are known by their name, and documents have no other way to ask for it.
    ...(own.some((word) => typeset.test(word)) ? [`@plugin ${JSON.stringify(typography)};`] : []),
    ...(config === null ? [] : [`@config ${JSON.stringify(configId)};`]),
    ...sheets.map(({ path }) => `@import ${JSON.stringify(ownPrefix + path)};`),
  ];
  const compiler = await compile(entry.join("\n"), {
    loadStylesheet: (id, from) =>
      isOwn(id, from) ? loadOwn(id, from, { sheets, beside, config }) : loadStylesheet(id),
    loadModule: async (id) => ({ path: id, base: "", module: await moduleOf(id, config) }),
  });
  const sheet = compiler.build([...own, ...safelist(config), ...ofComponents]);
  if (sheets.length === 0 && !sheet.includes("@layer utilities {")) return "";
  const styles = fades(own) ? fadedColours(sheet, own) : sheet;
  return styles.length > stylesMax ? null : styleElementText(styles);
}

const typography = "@tailwindcss/typography";
const typeset = /(?:^|:)prose(?:-|$)/;
const configId = "tailwind.config";

/** The members of a configuration that change what is made of a class; what else it has is of a build. */
async function moduleOf(id: string, config: TailwindConfig | null): Promise<Config | Plugin> {
  if (id !== configId || config === null) return tailwindPlugin(id);
  const { theme, important } = config.values;
  const plugins = await Promise.all(config.plugins.map(({ plugin, options }) => tailwindPluginWith(plugin, options)));
  return { ...(theme !== undefined && { theme }), ...(important !== undefined && { important }), plugins } as Config;
}

type Plugin = NonNullable<Config["plugins"]>[number];

/** As the configuration says it; null where it says nothing. */
function darkIn(config: TailwindConfig | null): DarkBy | null {
  const mode = config?.values["darkMode"];
  return mode === undefined ? null : mode === "media" ? "preference" : "class";
}

function hasPreflight(config: TailwindConfig | null): boolean {
  const core = config?.values["corePlugins"];
  return !(
    typeof core === "object" &&
    core !== null &&
    !Array.isArray(core) &&
    Reflect.get(core, "preflight") === false
  );
}

/** Classes that it wants although no text names them. */
const safelist = (config: TailwindConfig | null): string[] => {
  const listed: ConfigValue = config?.values["safelist"] ?? [];
  return Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
};

/** So that no path beside a document is one of the sheets that every document has. */
const ownPrefix = "beside:";
const isOwn = (id: string, from: string): boolean => id.startsWith(ownPrefix) || from.startsWith(ownPrefix);

function loadOwn(id: string, from: string, { sheets, beside }: OwnStyles) {
  const named = sheets.find(({ path }) => id === ownPrefix + path);
  const { path, text } = named ?? importedSheet(beside, from.slice(ownPrefix.length), id);
  // What it imports is resolved from its own path.
  return Promise.resolve({ path: ownPrefix + path, base: ownPrefix + path, content: text });
}

let prepared: Promise<unknown> | null = null;

/** Loads what every document with classes needs, once. */
export const prepareStyles = async (): Promise<void> => void (await (prepared ??= stylesOf('class="p-1"', [])));

/** A class of Tailwind's begins with a small letter, or with what leads to one. */
const mayBeClass = (word: string): boolean => /^[a-z@*!\-[]/.test(word);

/** Names of the theme, each with another colour in the dark. */
const TOKENS =
  "background foreground card popover primary secondary muted accent destructive border input ring sidebar";
const token = new RegExp(`(?:^|:)(?:bg|text|border)-(?:${TOKENS.replaceAll(" ", "|")})(?:-foreground)?(?:/|$)`);
/** Grounds, texts and lines whose colour was chosen for a light page. */
const fixedColour =
  /(?:^|:)(?:bg|text|border|from|via|to)-(?:white|black|(?:gray|slate|zinc|neutral|stone)-\d{2,3}|\[#)/;

/**
 * What makes the document dark. It has its own switch where it names the class itself. Else it follows the reader where
 * it has dark styles, or takes its colours from the theme alone.
 */
function darkBy(candidates: readonly string[]): DarkBy {
  if (candidates.includes("dark")) return "class";
  if (candidates.some((candidate) => /(^|:)dark:/.test(candidate))) return "preference";
  const isThemed = candidates.some((candidate) => token.test(candidate));
  return isThemed && !candidates.some((candidate) => fixedColour.test(candidate)) ? "preference" : "class";
}
