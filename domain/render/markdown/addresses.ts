// Where links and images lead: to other documents of the project, out into the web, or nowhere.
// A rendering is stored by its content alone, so what is relative begins with the mark of its project.
import type { Element, Root } from "hast";
import { eachElement } from "./html-tree.ts";
import { PROJECT_MARK } from "../document/relative-links.ts";
import { become, element, text } from "./tree-making.ts";

/** As deep as a document lies under its instance: /owner/project/slug. Names that no account or project can have. */
const owner = "/%00/";
const project = `${owner}%00/`;
const BASE = new URL(`http://instance.invalid${project}`);

const ours = { target: "_blank", rel: ["noopener"] };
const others = { target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] };
const image = /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i;

/** Sets every link and image right; what leads nowhere is left as text. */
export function leadAddresses(tree: Root): void {
  eachElement(tree, (node, inside) => {
    if (node.tagName === "a") link(node);
    else if (node.tagName === "img") picture(node, inside.includes("a"));
  });
}

function link({ properties }: Element): void {
  const { href } = properties;
  if (typeof href !== "string" || href.startsWith("#")) return;
  const address = resolve(href);
  if (address === null) delete properties["href"];
  else Object.assign(properties, { href: address }, address.startsWith(PROJECT_MARK) ? ours : others);
}

function picture(node: Element, isLinked: boolean): void {
  const { src, alt } = node.properties;
  const given = typeof src === "string" ? src.trim() : "";
  if (image.test(given)) return;
  const address = /^data:/i.test(given) ? null : resolve(given);
  const words = typeof alt === "string" ? alt.trim() : "";
  if (address === null) become(node, element("span", { className: ["missing-image"] }, [text(words)]));
  else if (address.startsWith(PROJECT_MARK)) Object.assign(node.properties, { src: address, loading: "lazy" });
  else become(node, external(address, words, isLinked));
}

/** Not loaded, because its host would learn about the reader; inside a link's text it is not a separate link. */
function external(address: string, alt: string, isLinked: boolean): Element {
  const { host, pathname } = new URL(address);
  const name = alt || pathname.slice(pathname.lastIndexOf("/") + 1) || "image";
  const children = [text(`${name} `), element("span", { className: ["host"] }, [text(host)])];
  const className = ["external-image"];
  return isLinked
    ? element("span", { className }, children)
    : element("a", { className, href: address, ...others }, children);
}

/** Extensions that a document's file has and its slug has not. */
const extension = /\.(?:md|markdown|html?|jsx|tsx)$/i;

/**
 * The address as it is served: marked where it is this instance's, as written where it is another's; null where it
 * says nothing. Read as a browser would, so that no spelling hides where it leads.
 */
function resolve(address: string): string | null {
  if (!URL.canParse(address, BASE.href)) return null;
  const url = new URL(address, BASE);
  if (url.protocol === "mailto:") return url.href;
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  // As it is written, but for what names no scheme: that one was the base's.
  if (url.host !== BASE.host) return /^https?:\/\//i.test(address) ? address : url.href.replace(/^http:/, "https:");
  const path = url.pathname.replace(extension, "");
  // The document itself: its own address is not known here.
  if (path === project) return null;
  const relative = path.startsWith(project)
    ? path.slice(project.length)
    : path.startsWith(owner)
      ? `../${path.slice(owner.length)}`
      : `../..${path}`;
  return PROJECT_MARK + relative + url.search + url.hash;
}
