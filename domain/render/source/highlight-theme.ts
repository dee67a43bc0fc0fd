// The one theme of highlighted code: not colours but names of classes, which the stylesheet colours for light and dark.
// The highlighter only knows colours, so each class travels as one.
import type { ThemeRegistrationRaw } from "shiki/core";

/** Later rules win where two are as specific; scopes are TextMate's. */
const scopes: readonly (readonly [className: string, scopes: string])[] = [
  ["t-comment", "comment, punctuation.definition.comment, string.comment"],
  ["t-string", "string, punctuation.definition.string, constant.character, constant.other.symbol, markup.inline.raw"],
  ["t-regexp", "string.regexp, constant.character.escape, constant.other.character-class, source.regexp"],
  ["t-number", "constant.numeric, constant.language, support.constant, keyword.other.unit, constant.other.color"],
  [
    "t-keyword",
    "keyword, storage, storage.type, storage.modifier, variable.language, keyword.operator.new, keyword.operator.expression, " +
      "keyword.operator.logical.python, punctuation.definition.keyword, entity.name.function.preprocessor, meta.preprocessor",
  ],
  ["t-operator", "keyword.operator, storage.type.function.arrow, keyword.operator.type"],
  [
    "t-function",
    "entity.name.function, support.function, meta.function-call.generic, entity.name.command, variable.function",
  ],
  [
    "t-type",
    "entity.name.type, entity.name.class, entity.name.namespace, entity.other.inherited-class, support.type, support.class, " +
      "storage.type.built-in, storage.type.java, storage.type.generic.java, storage.type.cs",
  ],
  ["t-variable", "variable, variable.parameter, support.variable, variable.other.constant, constant.other"],
  [
    "t-property",
    "variable.other.property, variable.other.object.property, support.type.property-name, meta.object-literal.key, punctuation.support.type.property-name, " +
      "variable.object.property, entity.name.tag.yaml, support.type.vendored.property-name, keyword.key.toml, variable.key",
  ],
  ["t-tag", "entity.name.tag, support.class.component, entity.name.tag.css, entity.other.attribute-name.class.css"],
  ["t-attribute", "entity.other.attribute-name"],
  ["t-punctuation", "punctuation, meta.brace, meta.delimiter, punctuation.definition.tag"],
  ["t-inserted", "markup.inserted, meta.diff.header.to-file, punctuation.definition.inserted"],
  ["t-deleted", "markup.deleted, meta.diff.header.from-file, punctuation.definition.deleted"],
  [
    "t-heading",
    "markup.heading, entity.name.section, meta.diff.range, meta.diff.header, punctuation.definition.heading",
  ],
  ["t-emphasis", "markup.italic, punctuation.definition.italic"],
  ["t-strong", "markup.bold, punctuation.definition.bold"],
  ["t-link", "markup.underline.link, string.other.link, constant.other.reference.link"],
];

const PLAIN = "#000000";
const colorOf = (index: number): string => `#${(index + 1).toString(16).padStart(6, "0").toUpperCase()}`;

const classes = new Map(scopes.map(([className], index) => [colorOf(index), className]));

/** The class of a token by the colour the theme gave it; null for plain text. */
export const classOfColor = (color: string | undefined): string | null =>
  classes.get(color?.toUpperCase() ?? "") ?? null;

export const classTheme: ThemeRegistrationRaw = {
  name: "plinth-classes",
  type: "light",
  fg: PLAIN,
  bg: "#FFFFFF",
  settings: [
    { settings: { foreground: PLAIN, background: "#FFFFFF" } },
    ...scopes.map(([, scope], index) => ({ scope, settings: { foreground: colorOf(index) } })),
    // What stands in a string or between tags is code again.
    { scope: "meta.template.expression, meta.embedded, meta.jsx.children", settings: { foreground: PLAIN } },
  ],
};
