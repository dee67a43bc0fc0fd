// `@/components/ui/breadcrumb`
import { ChevronRight, MoreHorizontal } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Breadcrumb = part("nav", "breadcrumb", "", { "aria-label": "breadcrumb" });
export const BreadcrumbList = part(
  "ol",
  "breadcrumb-list",
  "flex flex-wrap items-center gap-1.5 text-sm break-words text-muted-foreground sm:gap-2.5",
);
export const BreadcrumbItem = part("li", "breadcrumb-item", "inline-flex items-center gap-1.5");

export function BreadcrumbLink({ asChild, className, ...props }: ComponentProps<"a"> & { asChild?: boolean }) {
  const Element = asChild ? Slot.Root : "a";
  return (
    <Element
      data-slot="breadcrumb-link"
      className={cn("transition-colors hover:text-foreground", className)}
      {...props}
    />
  );
}

export const BreadcrumbPage = part("span", "breadcrumb-page", "font-normal text-foreground", {
  role: "link",
  "aria-disabled": "true",
  "aria-current": "page",
});

export function BreadcrumbSeparator({ children, className, ...props }: ComponentProps<"li">) {
  return (
    <li
      data-slot="breadcrumb-separator"
      role="presentation"
      aria-hidden="true"
      className={cn("[&>svg]:size-3.5", className)}
      {...props}
    >
      {children ?? <ChevronRight />}
    </li>
  );
}

export function BreadcrumbEllipsis({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      data-slot="breadcrumb-ellipsis"
      role="presentation"
      aria-hidden="true"
      className={cn("flex size-9 items-center justify-center", className)}
      {...props}
    >
      <MoreHorizontal className="size-4" />
      <span className="sr-only">More</span>
    </span>
  );
}
