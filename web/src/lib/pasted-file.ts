// A pasted text as the file it would have been. What it really is, its author says on the page that publishes it.

const kinds = {
  html: { name: "pasted.html", type: "text/html" },
  jsx: { name: "pasted.jsx", type: "text/javascript" },
  md: { name: "pasted.md", type: "text/markdown" },
} as const;

const html = /\s*<(?:!doctype html|(?:html|head|title|meta|link|style|script|body|svg)[\s/>])/iy;
const jsx = /^[ \t]*export (?:default\b|\{[^{}]*\bas default\b)/m;

/** A document by how it begins, a component by what it exports, and Markdown otherwise. */
function kindOf(text: string): keyof typeof kinds {
  html.lastIndex = afterComments(text);
  return html.test(text) ? "html" : jsx.test(text) ? "jsx" : "md";
}

/** Browsers write one before a page that they save. */
function afterComments(text: string): number {
  let at = 0;
  for (let start = 0; /^\s*<!--/.test(text.slice(start, start + 1000)); start = at) {
    const end = text.indexOf("-->", start);
    if (end < 0) break;
    at = end + 3;
  }
  return at;
}

export const pastedName = (text: string): string => kinds[kindOf(text)].name;

export function pastedFile(text: string): File {
  const { name, type } = kinds[kindOf(text)];
  return new File([text], name, { type });
}

/** Whether the name is that of a pasted text. */
export const isPasted = (path: string): boolean => /^pasted(?:-\d+)?\.(?:md|html|jsx)$/.test(path);

/** The file by another name where there is one of its name. */
export function numbered(file: File, isTaken: (name: string) => boolean): File {
  const [, stem = "", end = ""] = /^([^.]*)(.*)$/.exec(file.name) ?? [];
  let name = file.name;
  for (let number = 2; isTaken(name); number++) name = `${stem}-${number}${end}`;
  return name === file.name ? file : new File([file], name, { type: file.type });
}
