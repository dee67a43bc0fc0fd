// `@/components/ui/skeleton`
import { part } from "./lib/part.ts";

export const Skeleton = part("div", "skeleton", "animate-pulse rounded-md bg-accent");
