// `@/components/ui/label`
import { Label as Radix } from "radix-ui";
import { part } from "./lib/part.ts";

export const Label = part(
  Radix.Root,
  "label",
  "flex items-center gap-2 text-sm leading-none font-medium select-none group-data-[disabled=true]:pointer-events-none group-data-[disabled=true]:opacity-50 peer-disabled:cursor-not-allowed peer-disabled:opacity-50",
);
