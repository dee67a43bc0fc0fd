// Compiles a jsx or tsx document to the text of one inline module, as a pure function for a thread.
// oxc parses and transforms and nothing else: no bundler, no macro, no file is ever opened.
import MagicString from "magic-string";
import { parseSync } from "oxc-parser";
import { transformSync } from "oxc-transform";
import { inlineScriptText } from "./inline-script.ts";
import { rewriteExports } from "./jsx-exports.ts";
import { forbiddenUses } from "./jsx-imports.ts";
import { type Finding, type JsxProblem, locate } from "./jsx-problems.ts";

/** A document ready to be shown: all of it is stored, and none of it is trusted. */
export interface CompiledJsx {
  /** The text of one inline module. */
  readonly code: string;
  /** Tailwind's rules for the classes the document uses. */
  readonly css: string;
  /** The modules it imports, of those that the runtime has; nothing else is offered to it. */
  readonly modules: readonly string[];
}

export type JsxOutcome = CompiledJsx | { problems: JsxProblem[] };

/** The module that mounts a document; the import map knows it, a document cannot name it. */
export const MOUNT_MODULE = "@plinth/mount";

const FILE = "document.tsx";
const OPTIONS = { lang: "tsx", sourceType: "module" } as const;
const NO_DEFAULT =
  "This document has no default export, so there is nothing to show. End it with `export default` and a component.";

/** Compiles hostile source, or lists what is wrong with it. May exhaust the native stack: threads only. */
export function compileJsxSource(source: string): JsxOutcome {
  const parsed = parseSync(FILE, source, { ...OPTIONS, showSemanticErrors: true });
  if (parsed.errors.length > 0) return { problems: locate(source, parsed.errors.map(toFinding)) };

  const findings = [...forbiddenUses(parsed.program), ...forbiddenPragmas(parsed.comments)];
  const text = new MagicString(source);
  const spare = unusedName(source);
  const component = rewriteExports(parsed.program, text, spare);
  if (component === null) findings.push({ at: 0, message: NO_DEFAULT });
  if (findings.length > 0) return { problems: locate(source, findings) };

  text.append(`\nimport { mount as ${spare}mount } from "${MOUNT_MODULE}";\n${spare}mount(${component});\n`);
  const compiled = transformSync(FILE, text.toString(), {
    ...OPTIONS,
    jsx: { runtime: "automatic", importSource: "react", throwIfNamespace: false },
  });
  // Its places would be those of the rewritten text; what is wrong is known, where is not.
  const failures = compiled.errors.map((error) => ({ ...toFinding(error), at: 0 }));
  if (failures.length > 0) return { problems: locate(source, failures) };
  return { code: inlineScriptText(compiled.code), css: "", modules: [] };
}

interface SyntaxFault {
  message: string;
  helpMessage: string | null;
  labels: { start: number }[];
}

function toFinding({ message, helpMessage, labels }: SyntaxFault): Finding {
  // Of several places the last is the one to change: the second of two declarations.
  return {
    at: labels.at(-1)?.start ?? 0,
    message: helpMessage ? `${message} ${helpMessage}` : message,
  };
}

// A pragma would make the compiled code import a module that the source never names.
function forbiddenPragmas(comments: { value: string; start: number }[]): Finding[] {
  return comments
    .filter(({ value }) => /@jsxImportSource\s+(?!react(?:\s|$))/.test(value))
    .map(({ start }) => ({
      at: start,
      message: "@jsxImportSource is not supported; JSX is React's here.",
    }));
}

function unusedName(source: string): string {
  let name = "plinth$";
  while (source.includes(name)) name += "$";
  return name;
}
