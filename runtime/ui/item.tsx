// `@/components/ui/item`
import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";
import { Separator } from "./separator.tsx";

export const ItemGroup = part("div", "item-group", "group/item-group flex flex-col", { role: "list" });
export const ItemSeparator = part(Separator, "item-separator", "my-0", { orientation: "horizontal" });

const itemVariants = cva(
  "group/item flex flex-wrap items-center rounded-md border border-transparent text-sm transition-colors duration-100 outline-none focus-visible:border-ring focus-visible:ring-[3px] focus-visible:ring-ring/50 [a&]:transition-colors [a&]:hover:bg-accent/50",
  {
    variants: {
      variant: { default: "bg-transparent", outline: "border-border", muted: "bg-muted/50" },
      size: { default: "gap-4 p-4", sm: "gap-2.5 px-4 py-3", xs: "gap-2 px-3 py-2" },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

export function Item({
  className,
  variant = "default",
  size = "default",
  asChild = false,
  ...props
}: ComponentProps<"div"> & VariantProps<typeof itemVariants> & { asChild?: boolean }) {
  const Element = asChild ? Slot.Root : "div";
  return (
    <Element
      data-slot="item"
      data-variant={variant}
      data-size={size}
      className={cn(itemVariants({ variant, size, className }))}
      {...props}
    />
  );
}

const itemMediaVariants = cva(
  "flex shrink-0 items-center justify-center gap-2 group-has-[[data-slot=item-description]]/item:translate-y-0.5 group-has-[[data-slot=item-description]]/item:self-start [&_svg]:pointer-events-none",
  {
    variants: {
      variant: {
        default: "bg-transparent",
        icon: "size-8 rounded-sm border bg-muted [&_svg:not([class*='size-'])]:size-4",
        image: "size-10 overflow-hidden rounded-sm [&_img]:size-full [&_img]:object-cover",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

export function ItemMedia({
  className,
  variant = "default",
  ...props
}: ComponentProps<"div"> & VariantProps<typeof itemMediaVariants>) {
  return (
    <div
      data-slot="item-media"
      data-variant={variant}
      className={cn(itemMediaVariants({ variant, className }))}
      {...props}
    />
  );
}

export const ItemContent = part(
  "div",
  "item-content",
  "flex flex-1 flex-col gap-1 [&+[data-slot=item-content]]:flex-none",
);
export const ItemTitle = part("div", "item-title", "flex w-fit items-center gap-2 text-sm leading-snug font-medium");
export const ItemDescription = part(
  "p",
  "item-description",
  "line-clamp-2 text-sm leading-normal font-normal text-balance text-muted-foreground [&>a]:underline [&>a]:underline-offset-4 [&>a:hover]:text-primary",
);
export const ItemActions = part("div", "item-actions", "flex items-center gap-2");
export const ItemHeader = part("div", "item-header", "flex basis-full items-center justify-between gap-2");
export const ItemFooter = part("div", "item-footer", "flex basis-full items-center justify-between gap-2");
