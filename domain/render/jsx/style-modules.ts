// CSS modules (`card.module.css`): a style sheet whose class names are those of its file alone, and the names by which a
// script has them. What it imports and composes is part of it.
import { isTokenString, isTokenURL, tokenizer, TokenType } from "@csstools/css-tokenizer";
import { isRecord } from "@plinth/platform/malformed";
import type { CSSModuleExports } from "lightningcss";

import { addressFrom, type FilesBeside, importedPath } from "./files-beside.ts";
import type { JsxProblem } from "./problems.ts";

export interface StyleModule {
  readonly path: string;
  /** Its rules, with names that no other file has. */
  readonly css: string;
  /** The classes behind each of its names, with a space between them. */
  readonly names: Readonly<Record<string, string>>;
}

/** Expects a path whose text is among the files. */
export async function compileStyleModule(path: string, beside: FilesBeside): Promise<StyleModule | JsxProblem> {
  // Few documents have any: the compiler of styles is loaded for the first.
  const { bundleAsync } = await import("lightningcss");
  try {
    const { code, exports } = await bundleAsync({
      filename: path,
      cssModules: true,
      resolver: {
        read: (file) => withAddresses(beside.texts.get(file) ?? "", file, beside),
        resolve: (specifier, from) => styleSheetPath(specifier, from, beside),
      },
    });
    return { path, css: new TextDecoder().decode(code).trim(), names: classesOf(exports || {}) };
  } catch (error) {
    return problemOf(error, path);
  }
}

function styleSheetPath(specifier: string, from: string, beside: FilesBeside): string {
  const found = importedPath(beside, from, /^(?:\.{1,2}|[@~])\//.test(specifier) ? specifier : `./${specifier}`);
  if (found !== null && beside.texts.has(found)) return found;
  throw new Error(`${JSON.stringify(specifier)} is no style sheet beside the document.`);
}

/** Its text becomes part of the document, which has another folder: relative URLs are written as the document has them. */
function withAddresses(text: string, path: string, beside: FilesBeside): string {
  let result = "";
  let end = 0;
  let inUrl = false;
  const tokens = tokenizer({ css: text });
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken();
    const [type, , first, last] = token;
    if (type === TokenType.Whitespace) continue;
    if (isTokenURL(token) || (inUrl && isTokenString(token))) {
      const address = addressIn(token[4].value, path, beside);
      if (address !== null) {
        const written = JSON.stringify(address);
        result += text.slice(end, first) + (inUrl ? written : `url(${written})`);
        end = last + 1;
      }
    }
    inUrl = type === TokenType.Function && token[4].value.toLowerCase() === "url";
  }
  return result + text.slice(end);
}

function addressIn(url: string, from: string, beside: FilesBeside): string | null {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  const found = path === "" || /^(?:[a-z]+:|\/)/i.test(path) ? null : importedPath(beside, from, `./${path}`);
  return found === null ? null : addressFrom(beside.base, found) + rest;
}

/** Each name with all that it composes, which may compose in its turn. */
function classesOf(exports: CSSModuleExports): Record<string, string> {
  const byClass = new Map(Object.values(exports).map((one) => [one.name, one]));
  const classes = (name: string, seen: Set<string>): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const composed of byClass.get(name)?.composes ?? []) classes(composed.name, seen);
  };
  return Object.fromEntries(
    Object.entries(exports).map(([name, { name: own }]) => {
      const all = new Set<string>();
      classes(own, all);
      return [name, [...all].join(" ")];
    }),
  );
}

function problemOf(error: unknown, path: string): JsxProblem {
  const { message, fileName, loc } = isRecord(error) || error instanceof Error ? (error as Partial<StyleError>) : {};
  const place = { line: loc?.line ?? 1, column: loc?.column ?? 1 };
  return { ...place, file: fileName ?? path, message: (message ?? "The style sheet cannot be read").slice(0, 300) };
}

/** What the compiler throws. */
interface StyleError {
  readonly message: string;
  readonly fileName: string;
  readonly loc: { readonly line: number; readonly column: number };
}
