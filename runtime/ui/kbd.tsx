// `@/components/ui/kbd`
import { part } from "./lib/part.ts";

export const Kbd = part(
  "kbd",
  "kbd",
  "pointer-events-none inline-flex h-5 w-fit min-w-5 items-center justify-center gap-1 rounded-sm bg-muted px-1 font-sans text-xs font-medium text-muted-foreground select-none [&_svg:not([class*='size-'])]:size-3",
);
export const KbdGroup = part("kbd", "kbd-group", "inline-flex items-center gap-1");
