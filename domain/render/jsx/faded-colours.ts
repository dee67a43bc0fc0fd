// The opacity classes of Tailwind 3 (`bg-black bg-opacity-50`), which Tailwind 4 has no more and documents still write.

const KINDS = [
  ["bg", "background-color"],
  ["text", "color"],
  ["border", "border-color"],
] as const;

/** The utilities themselves; each sets what its colour is mixed with. */
export const FADING = KINDS.map(
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
