// Renders code: highlighted blocks, diagrams for the reading script, formulas.
import type { Element, Root } from "hast";
import { eachElement, textOf } from "./html-tree.ts";
import type { mathHtml } from "./math.ts";
import type { TimeBudget } from "../time-budget.ts";
import { become, element, rawHtml, text } from "./tree-making.ts";

/** Characters that the reading script would draw; a longer diagram is shown as code. */
const MAX_DIAGRAM = 50_000;

/** Makes every block of code and every formula what it is shown as, until the budget is spent. */
export async function renderCode(tree: Root, budget: TimeBudget): Promise<void> {
  const blocks: { pre: Element; code: Element; language: string }[] = [];
  const formulas: Element[] = [];
  eachElement(tree, (node) => {
    if (node.tagName === "code" && languageOf(node) === "math") formulas.push(node);
    const [code] = node.children;
    if (node.tagName !== "pre" || node.children.length !== 1) return;
    if (code?.type === "element" && code.tagName === "code")
      blocks.push({ pre: node, code, language: languageOf(code) });
  });
  // Loaded where needed: most documents have no formula, and a new thread has little time.
  const math = formulas.length > 0 ? (await import("./math.ts")).mathHtml : null;
  // A formula costs less than a language that is new to the thread, and is missed more than colours are.
  for (const { pre, code, language } of blocks) {
    if (math && language === "math") become(pre, mathBlock(code, math, budget));
  }
  for (const formula of formulas) if (math) inlineMath(formula, math, budget);
  for (const { pre, code, language } of blocks) {
    if (pre.tagName === "pre") become(pre, await blockOf(code, language, budget));
  }
}

/** The word after the fence, without what some write behind it: `ts{1,3}`, `js:app.js`. */
function languageOf({ properties }: Element): string {
  const classes = Array.isArray(properties["className"]) ? properties["className"].map(String) : [];
  const given = classes.find((name) => name.startsWith("language-"))?.slice("language-".length) ?? "";
  return /^[\w+#.-]+/.exec(given)?.[0] ?? "";
}

const kinds = (node: Element): readonly unknown[] => {
  const classes = node.properties["className"];
  return Array.isArray(classes) ? classes : [];
};

function inlineMath(node: Element, math: typeof mathHtml, budget: TimeBudget): void {
  const isDisplay = kinds(node).includes("math-display");
  if (!isDisplay && !kinds(node).includes("math-inline")) return;
  const html = rawHtml(math(textOf(node), { display: isDisplay }, budget));
  // A paragraph cannot contain a block, but the formula still has its own line.
  become(node, isDisplay ? element("span", { className: ["math"] }, [html]) : html);
}

const mathBlock = (code: Element, math: typeof mathHtml, budget: TimeBudget): Element =>
  element("div", { className: ["math"] }, [rawHtml(math(textOf(code), { display: true }, budget))]);

async function blockOf(code: Element, language: string, budget: TimeBudget): Promise<Element> {
  const source = textOf(code);
  if (language === "mermaid" && source.length <= MAX_DIAGRAM) {
    return element("figure", { className: ["mermaid"] }, [element("pre", {}, [element("code", {}, [text(source)])])]);
  }
  const highlighter = language === "" ? null : await import("../source/highlighter.ts");
  const isKnown = highlighter?.isHighlighted(language) ?? false;
  const content =
    highlighter && isKnown
      ? rawHtml((await highlighter.highlightLines(source.split("\n"), language, budget)).join("\n"))
      : text(source);
  const pre = element("pre", { className: ["highlight"] }, [element("code", {}, [content])]);
  return element("figure", { className: ["code"], ...(isKnown && { dataLanguage: language }) }, [pre]);
}
