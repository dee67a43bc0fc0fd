// `@/components/ui/spinner`
import { Loader2Icon } from "lucide-react";
import { part } from "./lib/part.ts";

export const Spinner = part(Loader2Icon, "spinner", "size-4 animate-spin", { role: "status", "aria-label": "Loading" });
