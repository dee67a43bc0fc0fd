// `@/components/ui/aspect-ratio`
import { AspectRatio as Radix } from "radix-ui";
import { part } from "./lib/part.ts";

export const AspectRatio = part(Radix.Root, "aspect-ratio");
