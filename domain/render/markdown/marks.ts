// Renders the parser's marks and tables: alerts, footnotes, task lists, tables that scroll.
import { titleOf } from "@plinth/contract/publishing/markdown/callout-forms";
import type { Element, ElementContent, Root } from "hast";
import { eachElement } from "./html-tree.ts";
import { become, element, text } from "./tree-making.ts";

/** A note cited more often has that many ways back, not more. */
const MAX_BACK_REFERENCES = 50;

export function placeMarks(tree: Root): void {
  eachElement(tree, (node, inside) => {
    if (node.tagName === "p" && node.properties["dataAlertTitle"] !== undefined) alertTitle(node, inside);
    else if (node.properties["dataAlert"]) alert(node);
    else if (node.tagName === "sup" && node.properties["dataFootnote"]) footnoteReference(node);
    else if (node.tagName === "section") section(node);
    else if (node.tagName === "input") checkbox(node, inside);
    else if (node.tagName === "li") listItem(node);
    else if (node.tagName === "ul" || node.tagName === "ol") taskList(node);
    else if (node.tagName === "table" && !inside.includes("table")) scrolling(node);
  });
}

const isTitle = (node: ElementContent): node is Element =>
  node.type === "element" && (node.tagName === "summary" || node.properties["className"] === alertTitleClass);
const alertTitleClass = ["alert-title"];

/** One that a callout was given. */
function alertTitle({ properties }: Element, inside: readonly string[]): void {
  delete properties["dataAlertTitle"];
  if (inside.at(-1) === "blockquote") properties["className"] = alertTitleClass;
}

/** What folds has its title as a summary. */
function alert(node: Element): void {
  const { dataAlert: kind, open } = node.properties;
  const style = String(kind);
  const className = ["alert", `alert-${style}`];
  const given = node.children.find(isTitle);
  if (node.tagName === "details") {
    node.properties = { className, ...(open !== undefined && { open: true }) };
    if (given) given.properties["className"] = alertTitleClass;
    return;
  }
  const title = element("p", { className: alertTitleClass }, [text(titleOf(style))]);
  become(node, element("aside", { className, role: "note" }, given ? node.children : [title, ...node.children]));
}

const numbersOf = (node: Element): [string, number] => {
  const [number = "", reference] = String(node.properties["dataFootnote"]).split("-");
  return [number, Number(reference)];
};
const referenceId = (number: string, reference: number): string =>
  `fnref-${number}${reference > 1 ? `-${reference}` : ""}`;

function footnoteReference(node: Element): void {
  const [number, reference] = numbersOf(node);
  const link = element("a", { href: `#fn-${number}`, id: referenceId(number, reference) }, [text(number)]);
  become(node, element("sup", { className: ["footnote-ref"] }, [link]));
}

function section(node: Element): void {
  if (node.properties["dataFootnotes"] === undefined) return;
  const label = element("h2", { className: ["sr-only"], id: "footnote-label" }, [text("Footnotes")]);
  become(node, element("section", { className: ["footnotes"] }, [label, ...node.children]));
}

function listItem(node: Element): void {
  if (node.properties["dataFootnote"]) footnote(node);
  else if (startsWithCheckbox(node)) node.properties["className"] = ["task-list-item"];
}

/** The ways back stand at the end of the last paragraph. */
function footnote(node: Element): void {
  const [number, references] = numbersOf(node);
  const last = node.children.findLast((child) => child.type === "element");
  const end = last?.type === "element" && last.tagName === "p" ? last : node;
  for (let reference = 1; reference <= Math.min(references, MAX_BACK_REFERENCES); reference++) {
    const name = `Back to reference ${number}${reference > 1 ? `-${reference}` : ""}`;
    const href = `#${referenceId(number, reference)}`;
    end.children.push(
      text(" "),
      element("a", { className: ["footnote-backref"], href, ariaLabel: name }, [
        text("↩"),
        ...(reference > 1 ? [element("sup", {}, [text(String(reference))])] : []),
      ]),
    );
  }
  node.properties = { id: `fn-${number}` };
}

/** Only at the beginning of a list item, where markdown puts it. */
function checkbox(node: Element, inside: readonly string[]): void {
  const [parent, grandparent] = [inside.at(-1), inside.at(-2)];
  if (parent === "li" || (parent === "p" && grandparent === "li")) {
    const { checked } = node.properties;
    node.properties = { type: "checkbox", disabled: true, ...(checked !== undefined && { checked: true }) };
  } else become(node, element("span", {}));
}

function startsWithCheckbox({ children }: Element): boolean {
  const first = children.find((child) => child.type !== "text" || child.value.trim() !== "");
  if (first?.type !== "element") return false;
  return first.tagName === "input" || (first.tagName === "p" && startsWithCheckbox(first));
}

function taskList(node: Element): void {
  const isTask = node.children.some(
    (child) => child.type === "element" && String(child.properties["className"]) === "task-list-item",
  );
  if (isTask) node.properties["className"] = ["task-list"];
}

function scrolling(node: Element): void {
  become(node, element("div", { className: ["table-scroll"], tabIndex: 0 }, [{ ...node }]));
}
