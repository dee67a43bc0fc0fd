// Writes the images of other sites into a rendering as marked places (document/remote-images.ts). Comes last: until then
// each is the pill that stands for it, so that headings and contents have its words.
import type { Element, Properties, Root } from "hast";
import { toHtml } from "hast-util-to-html";

import { placeMarks, titleMark, type ImageSource } from "../document/remote-images.ts";
import { eachElement } from "./html-tree.ts";
import { become, element, rawHtml } from "./tree-making.ts";

interface RemoteImage {
  readonly url: string;
  readonly properties: Properties;
  readonly sources: readonly ImageSource[];
}

/** Of each pill that stands for an image. */
const images = new WeakMap<Element, RemoteImage>();

/** Remembers which image a pill stands for; the properties are the author's. */
export function standFor(pill: Element, url: string, { alt, width, height, align, title }: Properties): void {
  images.set(pill, { url, properties: { alt: alt ?? "", width, height, align, title }, sources: [] });
}

/** Makes a `picture` its image, which gets the other sources where it is one of another site. */
export function becomeImage(picture: Element, sourceOf: (source: Element) => ImageSource | null): void {
  const children = picture.children.filter((child) => child.type === "element");
  const image = children.find((child) => child.tagName === "img" || images.has(child));
  const sources = children.flatMap((child) => (child.tagName === "source" ? (sourceOf(child) ?? []) : []));
  const remote = image === undefined ? undefined : images.get(image);
  become(picture, image ?? element("span", {}));
  if (remote !== undefined) images.set(picture, { ...remote, sources });
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
