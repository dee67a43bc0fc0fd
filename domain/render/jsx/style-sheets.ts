// The stylesheet that documents' classes are compiled against: Tailwind's own, the components' theme and ours.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UI_THEME } from "@plinth/runtime/jsx-modules";
import { FADING } from "./faded-colours.ts";

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

/** The entry to compile; `fades` adds what fadedColours needs. The document's own style elements come after it, and being in no layer they win. */
export function styleEntry(dark: DarkBy, fades: boolean): string {
  return `@layer theme, base, components, utilities;
@import "tailwindcss/theme.css" layer(theme);
@import "tailwindcss/preflight.css" layer(base);
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
