// Headings one can link to, and the table of contents of a long document.
import type { Element, Root } from "hast";
import GithubSlugger from "github-slugger";
import { percentDecoded } from "@plinth/platform/malformed";
import { eachElement, textOf } from "./html-tree.ts";
import { element, text } from "./tree-making.ts";

/** UTF-16 units of a heading's words that its id is made of. */
export const longestWords = 200;

/** The id of the next heading with these words, as GitHub makes it; `section` where they have no letter. Not yet in `taken`. */
export function headingId(slugger: GithubSlugger, taken: ReadonlySet<string>, words: string): string {
  const isNamed = new GithubSlugger().slug(words) !== "";
  for (;;) {
    const id = slugger.slug(isNamed ? words : "section");
    if (!taken.has(id)) return id;
  }
}

const level = /^h[1-6]$/;
const USER_PREFIX = "user-content-";

interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** Puts the title of the front matter first, in a document without a heading of level 1. */
export function placeTitle(tree: Root, title: string | null): void {
  let isTitled = title === null;
  eachElement(tree, ({ tagName }) => (isTitled ||= tagName === "h1"));
  if (!isTitled && title !== null) tree.children.unshift(element("h1", {}, [text(title)]), text("\n"));
}

/** Gives each heading an anchor, and an id where it has none, in order; sets fragment links right; answers the headings of level 2 and 3. */
export function anchorHeadings(tree: Root): Heading[] {
  const taken = takenIds(tree);
  const slugger = new GithubSlugger();
  const contents: Heading[] = [];
  eachElement(tree, (node, inside) => {
    if (!level.test(node.tagName) || node.properties["className"]) return;
    const { words, named } = wordsOf(node);
    const own = node.properties["id"];
    const id = typeof own === "string" ? own : headingId(slugger, taken, named.slice(0, longestWords));
    taken.add(id);
    node.properties["id"] = id;
    const depth = Number(node.tagName[1]);
    if ((depth === 2 || depth === 3) && words !== "") contents.push({ id, level: depth, text: words });
    // A link in a link would end it.
    if (inside.includes("a")) return;
    const anchor = element("a", { className: ["anchor"], href: `#${id}`, ariaLabel: "Link to this section" }, [
      text("#"),
    ]);
    node.children.push(text(" "), anchor);
  });
  leadFragments(tree, taken);
  return contents;
}

/** What a heading says, and the same with emoji by their names; without its footnotes. Takes the names out. */
function wordsOf(heading: Element): { readonly words: string; readonly named: string } {
  const parts = { words: "", named: "" };
  const add = ({ children }: Element): void => {
    for (const child of children) {
      if (child.type === "text") {
        parts.words += child.value;
        parts.named += child.value;
      } else if (child.type === "element" && String(child.properties["className"]) !== "footnote-ref") {
        const emoji = child.properties["dataEmoji"];
        delete child.properties["dataEmoji"];
        if (typeof emoji !== "string") add(child);
        else {
          parts.words += textOf(child);
          parts.named += `:${emoji}:`;
        }
      }
    }
  };
  add(heading);
  return { words: parts.words.trim(), named: parts.named.trim() };
}

/** What has an id already, headings of an author's own among them; of two elements with the same the first keeps it. */
function takenIds(tree: Root): Set<string> {
  const taken = new Set<string>();
  eachElement(tree, ({ properties }) => {
    const { id } = properties;
    if (typeof id !== "string") return;
    if (taken.has(id)) delete properties["id"];
    else taken.add(id);
  });
  return taken;
}

/** A fragment finds a heading, or what the author gave that id to. */
function leadFragments(tree: Root, taken: ReadonlySet<string>): void {
  eachElement(tree, ({ tagName, properties }) => {
    const href = properties["href"];
    if (tagName !== "a" || typeof href !== "string" || !href.startsWith("#")) return;
    const fragment = href.slice(1);
    // One that is not percent-encoded is meant as it stands.
    const id = percentDecoded(fragment) ?? fragment;
    if (!taken.has(id) && taken.has(USER_PREFIX + id)) properties["href"] = `#${USER_PREFIX}${fragment}`;
  });
}

const MIN_HEADINGS = 4;
const MIN_CHARACTERS = 4_000;
const MAX_ENTRIES = 300;

/** Puts the contents after a first h1, else first, where the document is long enough to need them. */
export function placeContents(tree: Root, headings: readonly Heading[]): void {
  if (headings.length < MIN_HEADINGS || textOf(tree).length < MIN_CHARACTERS) return;
  const summary = element("summary", {}, [text("Contents")]);
  const details = element("details", { open: true }, [summary, contentsList(headings.slice(0, MAX_ENTRIES))]);
  const nav = element("nav", { className: ["toc"], ariaLabel: "Contents" }, [details]);
  const first = tree.children.findIndex(({ type }) => type === "element");
  const node = tree.children[first];
  tree.children.splice(node?.type === "element" && node.tagName === "h1" ? first + 1 : 0, 0, nav);
}

function contentsList(headings: readonly Heading[]): Element {
  const list = element("ol", {});
  let inner: Element | null = null;
  for (const { id, level, text: words } of headings) {
    const item = element("li", {}, [element("a", { href: `#${id}` }, [text(words)])]);
    const last = list.children.at(-1);
    if (level === 2 || last?.type !== "element") {
      list.children.push(item);
      inner = null;
    } else {
      if (!inner) last.children.push((inner = element("ol", {})));
      inner.children.push(item);
    }
  }
  return list;
}
