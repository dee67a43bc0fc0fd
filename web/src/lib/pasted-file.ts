// A pasted text as the file it would have been. What it really is, its author says on the page that publishes it.

const kinds = [
  { looks: /^\s*(?:<!doctype html|<html[\s>])/i, name: "pasted.html", type: "text/html" },
  { looks: /^\s*export default\b/m, name: "pasted.jsx", type: "text/javascript" },
];

/** A document by how it begins, a component by what it exports, and Markdown otherwise. */
export function pastedFile(text: string): File {
  const { name, type } = kinds.find(({ looks }) => looks.test(text)) ?? { name: "pasted.md", type: "text/markdown" };
  return new File([text], name, { type });
}
