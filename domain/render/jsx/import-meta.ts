// import.meta of a module, as Vite has it: the environment of a production build, files by patterns, and the module's own
// URL. Finds its uses and writes what stands in their place; anything else of it is refused.
import { type CallExpression, type Expression, type MemberExpression, type Program, Visitor } from "oxc-parser";

import { addressFrom, type FilesBeside } from "./files-beside.ts";
import { type GlobCall, globCall, globCode } from "./import-globs.ts";
import type { Finding } from "./problems.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a module uses import.meta. */
export interface ImportMetaUses {
  readonly env: readonly Span[];
  /** The names of its environment that are read. */
  readonly envNames: readonly string[];
  readonly hot: readonly Span[];
  readonly url: readonly Span[];
  readonly globs: readonly (Span & GlobCall)[];
  readonly findings: readonly Finding[];
}

/** Of a production build; every other name is undefined. */
const environment = { BASE_URL: "/", DEV: false, MODE: "production", PROD: true, SSR: false };

const known = new Set(["env", "hot", "url"]);

const none: ImportMetaUses = { env: [], envNames: [], hot: [], url: [], globs: [], findings: [] };

export function importMetaUses(program: Program, source: string): ImportMetaUses {
  if (!/\bmeta\b/.test(source)) return none;
  const spans = { env: [] as Span[], hot: [] as Span[], url: [] as Span[] };
  const names = new Set<string>();
  const globs: (Span & GlobCall)[] = [];
  const findings: Finding[] = [];
  const understood = new Set<number>();
  new Visitor({
    CallExpression(call) {
      const glob = calledGlob(call);
      if (glob === null) return;
      understood.add(glob.meta);
      const read = globCall(call, glob.isEager);
      if ("message" in read) findings.push(read);
      else globs.push({ ...read, start: call.start, end: call.end });
    },
    MemberExpression(member) {
      const name = nameIn(member);
      const meta = metaOf(member.object);
      if (meta !== null && name !== null && known.has(name)) {
        understood.add(meta);
        spans[name as keyof typeof spans].push({ start: member.start, end: member.end });
      }
      const object = bare(member.object);
      const isOfEnv = object.type === "MemberExpression" && metaOf(object.object) !== null && nameIn(object) === "env";
      if (isOfEnv && name !== null) names.add(name);
    },
    MetaProperty(node) {
      if (node.meta.name === "import" && !understood.has(node.start))
        findings.push({ at: node.start, message: "Of import.meta a document has env, glob, hot and url alone." });
    },
  }).visit(program);
  return { ...spans, envNames: [...names], globs, findings };
}

/** `import.meta.glob(…)`, and `globEager` of earlier versions. */
function calledGlob({ callee }: CallExpression): { meta: number; isEager: boolean } | null {
  if (callee.type !== "MemberExpression") return null;
  const meta = metaOf(callee.object);
  const name = nameIn(callee);
  return meta !== null && (name === "glob" || name === "globEager") ? { meta, isEager: name === "globEager" } : null;
}

/** The place of `import.meta`; null for another expression. */
function metaOf(expression: Expression): number | null {
  const node = bare(expression);
  return node.type === "MetaProperty" && node.meta.name === "import" ? node.start : null;
}

/** Without what only its types need: `(import.meta as any)`. */
function bare(expression: Expression): Expression {
  let node = expression;
  while (
    node.type === "ParenthesizedExpression" ||
    node.type === "TSAsExpression" ||
    node.type === "TSSatisfiesExpression" ||
    node.type === "TSNonNullExpression"
  )
    node = node.expression;
  return node;
}

function nameIn({ property, computed }: MemberExpression): string | null {
  if (!computed && property.type === "Identifier") return property.name;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : null;
}

interface ModulePlace {
  /** Among the files; null of the document. */
  readonly path: string | null;
  readonly beside: FilesBeside;
  /** Begins names that the module does not use. */
  readonly spare: string;
}

/**
 * What replaces each use, and the functions that they call. Functions, because they are there before the first line runs,
 * and short, so that the places of what follows stay the author's.
 */
export function importMetaCode(
  uses: ImportMetaUses,
  { path, beside, spare }: ModulePlace,
): { edits: (Span & { text: string })[]; code: string } | { findings: Finding[] } {
  const globs = uses.globs.map((glob, at) => ({
    ...glob,
    ...globCode(glob, { path, beside, name: `${spare}glob${at}` }),
  }));
  const findings = globs.flatMap(({ start, problem }) => (problem === null ? [] : [{ at: start, message: problem }]));
  if (findings.length > 0) return { findings };
  const edits = [
    ...uses.env.map((span) => ({ ...span, text: `${spare}env()` })),
    ...uses.hot.map((span) => ({ ...span, text: "(void 0)" })),
    ...uses.url.map((span) => ({ ...span, text: `${spare}url()` })),
    ...globs.map(({ start, end }, at) => ({ start, end, text: `${spare}glob${at}()` })),
  ];
  const code = [
    ...(uses.env.length === 0 ? [] : [environmentCode(uses.envNames, spare)]),
    ...(uses.url.length === 0 ? [] : [urlCode(path, beside, spare)]),
    ...globs.map((glob) => glob.code),
  ];
  return { edits, code: code.join("\n") };
}

/** With the first use the console names what is not set: the document's author expects it of a build. */
function environmentCode(names: readonly string[], spare: string): string {
  const unset = names.filter((name) => !Object.hasOwn(environment, name)).map((name) => `import.meta.env.${name}`);
  const warning = `${unset.join(", ")} ${unset.length === 1 ? "is" : "are"} undefined: a document is built without variables.`;
  const warn = unset.length === 0 ? "" : `console.warn(${JSON.stringify(warning)});`;
  const name = `${spare}env`;
  return `function ${name}() { if (!${name}.is) { ${name}.is = ${JSON.stringify(environment)}; ${warn} } return ${name}.is; }`;
}

function urlCode(path: string | null, { base }: FilesBeside, spare: string): string {
  const address = path === null ? "" : addressFrom(base, path);
  return `function ${spare}url() { return new URL(${JSON.stringify(address)}, document.baseURI).href; }`;
}
