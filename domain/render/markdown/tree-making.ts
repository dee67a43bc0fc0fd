// Elements of our own making, put into a tree that has been sanitized.
import type { Element, ElementContent, Properties } from "hast";

/** HTML of ours that is written as it is: never an author's. */
interface Raw {
  type: "raw";
  value: string;
}

declare module "hast" {
  interface RootContentMap {
    raw: Raw;
  }
  interface ElementContentMap {
    raw: Raw;
  }
}

export const element = (tagName: string, properties: Properties, children: ElementContent[] = []): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});

export const text = (value: string): ElementContent => ({ type: "text", value });

/** HTML written as it is, so it must have been escaped where it was made. */
export const rawHtml = (value: string): ElementContent => ({ type: "raw", value });

/** Makes a node into another, in its place. */
export const become = (target: Element, node: ElementContent): void => {
  Object.assign(target, node);
};
