// `@/components/ui/collapsible`
import { Collapsible as Radix } from "radix-ui";
import { part } from "./lib/part.ts";

export const Collapsible = part(Radix.Root, "collapsible");
export const CollapsibleTrigger = part(Radix.CollapsibleTrigger, "collapsible-trigger");
export const CollapsibleContent = part(Radix.CollapsibleContent, "collapsible-content");
