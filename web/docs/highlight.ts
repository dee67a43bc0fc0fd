// Highlights the code of the documentation when it is built. Tokens get classes, because the pages' policy allows no
// inline styles.
import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";

const classes = [
  ["c-comment", "comment, punctuation.definition.comment"],
  ["c-string", "string, punctuation.definition.string"],
  ["c-number", "constant.numeric, constant.language"],
  ["c-keyword", "keyword, storage, entity.name.tag"],
  ["c-name", "entity.name.function, support.type.property-name, entity.other.attribute-name, variable.other"],
] as const;

const colorOf = (index: number): string => `#00000${index + 1}`;
const classOf = new Map(classes.map(([name], index) => [colorOf(index), name]));

let loading: Promise<HighlighterCore> | undefined;
const load = () =>
  (loading ??= createHighlighterCore({
    themes: [
      {
        name: "docs",
        type: "light",
        fg: "#000000",
        bg: "#ffffff",
        settings: classes.map(([, scope], index) => ({ scope, settings: { foreground: colorOf(index) } })),
      },
    ],
    langs: [
      import("shiki/langs/shellscript.mjs"),
      import("shiki/langs/json.mjs"),
      import("shiki/langs/tsx.mjs"),
      import("shiki/langs/html.mjs"),
      import("shiki/langs/yaml.mjs"),
      import("shiki/langs/markdown.mjs"),
    ],
    engine: createOnigurumaEngine(import("shiki/wasm")),
  }));

export type Highlight = (code: string, language: string) => string;

/** Creates a function that writes code as HTML. Code in a language that is not loaded stays plain. */
export async function createHighlight(): Promise<Highlight> {
  const shiki = await load();
  const known = new Set(shiki.getLoadedLanguages());
  return (code, language) => {
    if (!known.has(language)) return escapeHtml(code);
    return shiki
      .codeToTokensBase(code, { lang: language, theme: "docs" })
      .map((line) =>
        line
          .map(({ content, color }) => {
            const name = classOf.get(color?.toLowerCase() ?? "");
            return name === undefined ? escapeHtml(content) : `<span class="${name}">${escapeHtml(content)}</span>`;
          })
          .join(""),
      )
      .join("\n");
  };
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
