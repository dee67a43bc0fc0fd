// Where links and images lead: to other documents of the project, out into the web, or nowhere.
// A rendering is stored by its content alone, so what is relative begins with the mark of its project.
import type { Element, Root } from "hast";
import { eachElement } from "./html-tree.ts";
import { PROJECT_MARK, recordingClass } from "../document/relative-links.ts";
import { remoteImageUrl, type ImageSource } from "../document/remote-images.ts";
import { becomeImage, standFor } from "./remote-images.ts";
import { become, element, text } from "./tree-making.ts";

/** Deeper than any folder of documents: how far a relative address leads up is then known. Names that no author can write. */
const depth = 64;
const folder = `/${"%00/".repeat(depth)}`;
const BASE = new URL(`http://instance.invalid${folder}`);

const ours = { target: "_blank", rel: ["noopener"] };
const others = { target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] };
/** Of svg, placeDrawings has made every one. */
const image = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;
const recording = /^data:(?:video|audio)\/[\w.+-]{1,40}[;,]/i;
/** Characters of an image, a sound or a film that is part of the document. */
const MAX_DATA = 8 * 1024 * 1024;

/** Sets every link, image and recording right; what leads nowhere is left as text. */
export function leadAddresses(tree: Root): void {
  eachElement(tree, (node, inside) => {
    if (node.tagName === "a") link(node);
    else if (node.tagName === "img") picture(node, inside.includes("a"));
    else if (node.tagName === "picture") becomeImage(node, sourceOf);
    else if (node.tagName === "video" || node.tagName === "audio") media(node, inside.includes("a"));
  });
}

function link({ properties }: Element): void {
  const { href, name, id } = properties;
  delete properties["name"];
  if (typeof name === "string" && id === undefined) properties["id"] = name;
  if (typeof href !== "string" || href.startsWith("#")) return;
  const address = resolve(href);
  if (address === null) delete properties["href"];
  else Object.assign(properties, { href: address }, address.startsWith(PROJECT_MARK) ? ours : others);
}

function picture(node: Element, isLinked: boolean): void {
  const { src, alt } = node.properties;
  const given = typeof src === "string" ? src.trim() : "";
  if (image.test(given) && given.length <= MAX_DATA) return;
  const address = /^data:/i.test(given) ? null : resolve(given);
  const words = typeof alt === "string" ? alt.trim() : "";
  if (address === null) become(node, element("span", { className: ["missing-image"] }, [text(words)]));
  // Its source comes first, where document/relative-links.ts looks for it.
  else if (address.startsWith(PROJECT_MARK)) {
    const { src: _, ...others } = node.properties;
    node.properties = { src: address, ...others, loading: "lazy" };
  } else {
    const [url, { properties }] = [remoteImageUrl(new URL(address)), node];
    become(node, external(address, words, isLinked));
    if (url !== null) standFor(node, url, properties);
  }
}

/** Characters of a condition under which an image has another source. */
const mediaMax = 200;

/** The first candidate of a source for some screens, such as dark ones; others would all be the image. */
function sourceOf({ properties: { srcSet, media } }: Element): ImageSource | null {
  const [given = ""] = (typeof srcSet === "string" ? srcSet : "").trim().split(/[\s,]+/, 1);
  const address = given === "" ? null : resolve(given);
  const isOfScreens = typeof media === "string" && media.trim() !== "" && media.length <= mediaMax;
  if (address === null || address.startsWith(PROJECT_MARK) || !isOfScreens) return null;
  const url = URL.canParse(address) ? remoteImageUrl(new URL(address)) : null;
  return url === null ? null : { url, media };
}

/** Plays what the document holds. Others are links; one to a file beside the document is played when it is served. */
function media(node: Element, isLinked: boolean): void {
  const kind = node.tagName === "video" ? "Video" : "Audio";
  const { width, height } = node.properties;
  const [given = ""] = [node, ...node.children].flatMap((child) => {
    const src = child.type === "element" ? child.properties["src"] : undefined;
    return typeof src === "string" ? [src.trim()] : [];
  });
  if (recording.test(given) && given.length <= MAX_DATA) {
    const properties = { src: given, controls: true, preload: "metadata", width, height };
    return become(node, element(node.tagName, properties));
  }
  const address = given === "" || /^data:/i.test(given) ? null : resolve(given);
  if (address === null) become(node, element("span", { className: ["missing-image"] }, [text(kind)]));
  else if (!address.startsWith(PROJECT_MARK)) become(node, external(address, kind, isLinked));
  else if (isLinked) become(node, element("span", {}, [text(kind)]));
  else become(node, element("a", { className: [recordingClass(node.tagName)], href: address, ...ours }, [text(kind)]));
}

/** Not loaded from there, because its host would learn about the reader; inside a link's text it is not a separate link. */
function external(address: string, alt: string, isLinked: boolean): Element {
  const url = new URL(address);
  const { host, pathname } = url;
  const name = alt || pathname.slice(pathname.lastIndexOf("/") + 1) || "image";
  const isPill = isBadge(url);
  const children = isPill ? [text(name)] : [text(`${name} `), element("span", { className: ["host"] }, [text(host)])];
  const className = isPill ? ["external-image", "badge"] : ["external-image"];
  return isLinked
    ? element("span", { className }, children)
    : element("a", { className, href: address, ...others }, children);
}

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
  const path = url.pathname;
  // The document itself: its own address is not known here.
  if (path === folder) return null;
  const [shared = ""] = /^\/(?:%00\/)*/.exec(path) ?? [];
  const up = depth - (shared.length - 1) / "%00/".length;
  const relative = up === depth ? path : "../".repeat(up) + path.slice(shared.length);
  return PROJECT_MARK + relative + url.search + url.hash;
}

/** Services of badges whose URLs do not say so otherwise. */
const badgeHosts =
  /(?:^|\.)(?:shields\.io|travis-ci\.(?:org|com)|circleci\.com|appveyor\.com|komarev\.com|coveralls\.io)$/;

/** A word or two about a project, drawn by a service, many in a row. */
const isBadge = ({ host, pathname }: URL): boolean =>
  badgeHosts.test(host) || /badge/i.test(host) || /(?:^|[/_.-])badges?(?:[/_.-]|$)/i.test(pathname);
