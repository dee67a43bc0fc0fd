// A quick look at whether a text can refer to files or to other documents by relative paths. Most documents do not, and no
// parser is started for them.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

/** Characters. A longer text is not looked through on the main thread. */
const longest = 64 * 1024;

/** Where no relative path begins: a scheme, another host, a fragment, or more of what stands before a path. */
const noPath = "(?![<\"'`{\\s]|[a-z][a-z\\d+.-]*:|//|#)";

const inMarkdown = new RegExp(`\\][(:][<\\s]*${noPath}|\\[\\[|<(?:a|img|source|video|audio|track)\\s`, "i");

const inPages = new RegExp(
  [
    `(?:src|href|srcset|poster|background)\\s*=\\s*(?:\\{\\s*["'\`]\\s*|["']\\s*|)${noPath}`,
    "\\bdata\\s*=[{\\s]*[\"'`]|<object\\b|importmap",
    `url\\([\\s"']*${noPath}|image-set\\(|src\\(`,
    "@import(?!\\s+(?:url\\()?[\"']?(?:[a-z][a-z\\d+.-]*:|//))",
  ].join("|"),
  "i",
);

const inScripts = /\b(?:fetch|Worker|Audio|URL|require)\b|\b(?:import|from)\b[\s(]*["'`][.@~]/;

/** False for a text without any; true for one that may have some. */
export function mayRefer(type: ArtifactType, text: string): boolean {
  if (text.length > longest) return true;
  return type === "md" ? inMarkdown.test(text) : inPages.test(text) || inScripts.test(text);
}
