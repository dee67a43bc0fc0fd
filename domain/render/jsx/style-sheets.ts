// The stylesheet that documents' classes are compiled against: Tailwind's own, the components' theme and ours.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UI_THEME } from "@plinth/runtime/jsx-modules";

// The opacity classes of Tailwind 3 (`bg-black bg-opacity-50`), which Tailwind 4 has no more and documents still write.
const KINDS = [
  ["bg", "background-color"],
  ["text", "color"],
  ["border", "border-color"],
] as const;

/** The utilities themselves; each sets what its colour is mixed with. */
const FADING = KINDS.map(
  ([kind]) => `@property --plinth-${kind}-opacity { syntax: "*"; inherits: false; initial-value: 100%; }
@utility ${kind}-opacity-* { --plinth-${kind}-opacity: calc(--value(integer) * 1%); }`,
).join("\n");

/** Whether the document uses one. */
export const fades = (candidates: readonly string[]): boolean =>
  KINDS.some(([kind]) => candidates.some((candidate) => candidate.includes(`${kind}-opacity-`)));

/** Lets the colours of a sheet be faded by those utilities, each kind where the document uses its own. */
export function fadedColours(sheet: string, candidates: readonly string[]): string {
  let faded = sheet;
  for (const [kind, property] of KINDS) {
    if (!candidates.some((candidate) => candidate.includes(`${kind}-opacity-`))) continue;
    const colours = new RegExp(`(?<=[\\s{;])${property}: (var\\(--color-[\\w-]+\\));`, "g");
    faded = faded.replace(colours, `${property}: color-mix(in oklab, $1 var(--plinth-${kind}-opacity), transparent);`);
  }
  return faded;
}

/** The files that may be imported, and no other. */
const SHEETS: Readonly<Record<string, () => string>> = {
  "tailwindcss/theme.css": () => Bun.resolveSync("tailwindcss/theme.css", import.meta.dir),
  "tailwindcss/preflight.css": () => Bun.resolveSync("tailwindcss/preflight.css", import.meta.dir),
  "tw-animate-css": () =>
    join(Bun.resolveSync("tw-animate-css/package.json", import.meta.dir), "../dist/tw-animate.css"),
  theme: () => UI_THEME,
};

const texts = new Map<string, string>();

export async function loadStylesheet(id: string): Promise<{ path: string; base: string; content: string }> {
  const content = texts.get(id) ?? readSheet(id);
  texts.set(id, content);
  return { path: id, base: "", content };
}

function readSheet(id: string): string {
  const path = SHEETS[id];
  if (!path) throw new Error(`No stylesheet is called ${id}`);
  return readFileSync(path(), "utf8");
}

/** What makes a document dark: the class `dark` on an ancestor alone, or what the reader prefers as well. */
export type DarkBy = "class" | "preference";

interface EntryOptions {
  readonly dark: DarkBy;
  /** Adds what fadedColours needs. */
  readonly fades: boolean;
  /** Whether elements lose the browser's own styles. */
  readonly preflight: boolean;
}

/** The entry to compile. The document's own style elements come after it, and being in no layer they win. */
export function styleEntry({ dark, fades, preflight }: EntryOptions): string {
  return `@layer theme, base, components, utilities;
@import "tailwindcss/theme.css" layer(theme);
${preflight ? '@import "tailwindcss/preflight.css" layer(base);' : ""}
@import "theme";
@layer utilities { @tailwind utilities; }
@layer base {
  button:not(:disabled), [role="button"]:not(:disabled) { cursor: pointer; }
}
${fades ? FADING : ""}
${dark === "preference" ? preferredDark() : ""}`;
}

// A document with dark styles or the theme's colours, and no switch, follows the reader. Any other stays light, components
// included: they would turn dark around text whose colour was chosen for a light ground.
function preferredDark(): string {
  const [, colours] = /^\.dark \{([^}]*)\}/m.exec(texts.get("theme") ?? readSheet("theme")) ?? [];
  if (colours === undefined) throw new Error("The theme has no dark colours");
  return `@custom-variant dark {
  &:where(.dark, .dark *) { @slot; }
  @media (prefers-color-scheme: dark) { &:where(:root:not(.light) *, :root:not(.light)) { @slot; } }
}
@media (prefers-color-scheme: dark) { :root:not(.light) {${colours}} }
`;
}
