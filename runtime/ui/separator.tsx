// `@/components/ui/separator`
import { Separator as Radix } from "radix-ui";
import { part } from "./lib/part.ts";

export const Separator = part(
  Radix.Root,
  "separator",
  "shrink-0 bg-border data-[orientation=horizontal]:h-px data-[orientation=horizontal]:w-full data-[orientation=vertical]:h-full data-[orientation=vertical]:w-px",
  { decorative: true },
);
