// `@/components/ui/pagination`
import { ChevronLeftIcon, ChevronRightIcon, MoreHorizontalIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { type ButtonProps, buttonVariants } from "./button.tsx";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Pagination = part("nav", "pagination", "mx-auto flex w-full justify-center", {
  role: "navigation",
  "aria-label": "pagination",
});
export const PaginationContent = part("ul", "pagination-content", "flex flex-row items-center gap-1");
export const PaginationItem = part("li", "pagination-item");

export function PaginationLink({
  className,
  isActive,
  size = "icon",
  ...props
}: ComponentProps<"a"> & Pick<ButtonProps, "size"> & { isActive?: boolean }) {
  return (
    <a
      aria-current={isActive ? "page" : undefined}
      data-slot="pagination-link"
      data-active={isActive}
      className={cn(buttonVariants({ variant: isActive ? "outline" : "ghost", size }), className)}
      {...props}
    />
  );
}

type StepProps = ComponentProps<typeof PaginationLink> & { text?: string };

export function PaginationPrevious({ className, text = "Previous", ...props }: StepProps) {
  return (
    <PaginationLink
      aria-label="Go to previous page"
      size="default"
      className={cn("gap-1 px-2.5 sm:pl-2.5", className)}
      {...props}
    >
      <ChevronLeftIcon />
      <span className="hidden sm:block">{text}</span>
    </PaginationLink>
  );
}

export function PaginationNext({ className, text = "Next", ...props }: StepProps) {
  return (
    <PaginationLink
      aria-label="Go to next page"
      size="default"
      className={cn("gap-1 px-2.5 sm:pr-2.5", className)}
      {...props}
    >
      <span className="hidden sm:block">{text}</span>
      <ChevronRightIcon />
    </PaginationLink>
  );
}

export function PaginationEllipsis({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      aria-hidden
      data-slot="pagination-ellipsis"
      className={cn("flex size-9 items-center justify-center", className)}
      {...props}
    >
      <MoreHorizontalIcon className="size-4" />
      <span className="sr-only">More pages</span>
    </span>
  );
}
