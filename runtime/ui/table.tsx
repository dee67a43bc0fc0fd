// `@/components/ui/table`
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <div data-slot="table-container" className="relative w-full overflow-x-auto">
      <table data-slot="table" className={cn("w-full caption-bottom text-sm", className)} {...props} />
    </div>
  );
}

export const TableHeader = part("thead", "table-header", "[&_tr]:border-b");
export const TableBody = part("tbody", "table-body", "[&_tr:last-child]:border-0");
export const TableFooter = part("tfoot", "table-footer", "border-t bg-muted/50 font-medium [&>tr]:last:border-b-0");
export const TableRow = part(
  "tr",
  "table-row",
  "border-b transition-colors hover:bg-muted/50 has-aria-expanded:bg-muted/50 data-[state=selected]:bg-muted",
);
export const TableHead = part(
  "th",
  "table-head",
  "h-10 px-2 text-left align-middle font-medium whitespace-nowrap text-foreground [&:has([role=checkbox])]:pr-0 [&>[role=checkbox]]:translate-y-[2px]",
);
export const TableCell = part(
  "td",
  "table-cell",
  "p-2 align-middle whitespace-nowrap [&:has([role=checkbox])]:pr-0 [&>[role=checkbox]]:translate-y-[2px]",
);
export const TableCaption = part("caption", "table-caption", "mt-4 text-sm text-muted-foreground");
