// Where links and images lead: to other documents of the project, out into the web, or nowhere.
// A rendering is stored by its content alone, so what is relative begins with the mark of its project.
import type { Element, Properties, Root } from "hast";
import { placeholderImage } from "@plinth/contract/publishing/placeholder-images";
import { toHtml } from "hast-util-to-html";
import { eachElement } from "./html-tree.ts";
import { PROJECT_MARK, recordingClass } from "../document/relative-links.ts";
import { type ImageSource, placeMarks, remoteImageUrl, titleMark } from "../document/remote-images.ts";
import { become, element, rawHtml, text } from "./tree-making.ts";

// Writes the images of other sites into a rendering as marked places (document/remote-images.ts). Comes last: until then
// each is the pill that stands for it, so that headings and contents have its words.
interface RemoteImage {
  readonly url: string;
  readonly properties: Properties;
  readonly sources: readonly ImageSource[];
}

/** Of each pill that stands for an image. */
const images = new WeakMap<Element, RemoteImage>();

/** Remembers which image a pill stands for; the properties are the author's. */
function standFor(pill: Element, url: string, { alt, width, height, align, title, className }: Properties): void {
  images.set(pill, { url, properties: { alt: alt ?? "", width, height, align, title, className }, sources: [] });
}

/** Makes a `picture` its image, with the sources that are where the image is: of other sites, or this instance's. */
function becomeImage(picture: Element): void {
  const children = picture.children.filter((child) => child.type === "element");
  const image = children.find((child) => child.tagName === "img" || images.has(child));
  const sources = children.flatMap((child) => (child.tagName === "source" ? (sourceOf(child) ?? []) : []));
  const [own, others] = [true, false].map((isOwn) => sources.filter(({ url }) => isOwn !== /^https?:/i.test(url)));
  const remote = image === undefined ? undefined : images.get(image);
  if (image?.tagName === "img" && own?.length) {
    const elements = own.map(({ url, media }) => element("source", { srcSet: url, media }));
    become(picture, element("picture", {}, [...elements, image]));
  } else become(picture, image ?? element("span", {}));
  if (remote !== undefined) images.set(picture, { ...remote, sources: others ?? [] });
}

export function writePlaces(tree: Root): void {
  eachElement(tree, (node) => {
    const image = images.get(node);
    if (image === undefined) return;
    const { url, properties, sources } = image;
    const pill = toHtml({ ...node, properties: { ...node.properties, title: titleMark } }).replaceAll("&#x0;", "\0");
    // Written by the same rules as the document, without the tag's ends.
    const attributes = toHtml({ type: "element", tagName: "img", properties, children: [] }).slice(
      "<img".length,
      -">".length,
    );
    become(node, rawHtml(placeMarks({ url, pill, attributes, sources })));
  });
}

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
    else if (node.tagName === "picture") becomeImage(node);
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

/** GitHub's: an image for one colour scheme. */
const modeOnly = /^(.*?)(?:#gh-(dark|light)-mode-only)?$/s;

function picture(node: Element, isLinked: boolean): void {
  const { src, alt } = node.properties;
  const [, given = "", mode] = modeOnly.exec(typeof src === "string" ? src.trim() : "") ?? [];
  const classes = mode === undefined ? [] : [`only-${mode}`];
  if (mode !== undefined) node.properties["className"] = classes;
  if (image.test(given) && given.length <= MAX_DATA) return;
  const drawing = placeholderImage(given);
  if (drawing !== null) {
    node.properties["src"] = drawing;
    return;
  }
  const address = /^data:/i.test(given) ? null : resolve(given);
  const words = typeof alt === "string" ? alt.trim() : "";
  if (address === null) become(node, element("span", { className: ["missing-image", ...classes] }, [text(words)]));
  // Its source comes first, where document/relative-links.ts looks for it.
  else if (address.startsWith(PROJECT_MARK)) {
    const { src: _, ...others } = node.properties;
    node.properties = { src: address, ...others, loading: "lazy" };
  } else {
    const [url, { properties }] = [remoteImageUrl(new URL(address)), node];
    become(node, external(address, words, isLinked, classes));
    if (url !== null) standFor(node, url, properties);
  }
}

/** Characters of a condition under which an image has another source. */
const mediaMax = 200;

/** Of svg, nothing is taken out here. */
const sourceImage = /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i;

/** The first candidate of a source for some screens, such as dark ones; others would all be the image. */
function sourceOf({ properties: { srcSet, media } }: Element): ImageSource | null {
  if (typeof srcSet !== "string" || typeof media !== "string") return null;
  const list = srcSet.trim();
  const isData = /^data:/i.test(list);
  const [given = ""] = list.split(isData ? /\s+/ : /[\s,]+/, 1);
  if (given === "" || media.trim() === "" || media.length > mediaMax) return null;
  if (isData) return sourceImage.test(given) && given.length <= MAX_DATA ? { url: given, media } : null;
  const address = resolve(given);
  if (address === null || address.startsWith(PROJECT_MARK)) return address === null ? null : { url: address, media };
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
function external(address: string, alt: string, isLinked: boolean, classes: readonly string[] = []): Element {
  const url = new URL(address);
  const { host, pathname } = url;
  const name = alt || pathname.slice(pathname.lastIndexOf("/") + 1) || "image";
  const isPill = isBadge(url);
  const children = isPill ? [text(name)] : [text(`${name} `), element("span", { className: ["host"] }, [text(host)])];
  const className = ["external-image", ...(isPill ? ["badge"] : []), ...classes];
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
