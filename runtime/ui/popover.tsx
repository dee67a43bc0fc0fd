// `@/components/ui/popover`
import { Popover as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Popover = Radix.Root;
export const PopoverTrigger = part(Radix.Trigger, "popover-trigger");
export const PopoverAnchor = part(Radix.Anchor, "popover-anchor");
export const PopoverClose = part(Radix.Close, "popover-close");

export function PopoverContent({
  className,
  align = "center",
  sideOffset = 4,
  ...props
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="popover-content"
        align={align}
        sideOffset={sideOffset}
        className={cn(
          "z-50 w-72 origin-(--radix-popover-content-transform-origin) rounded-md border bg-popover p-4 text-popover-foreground shadow-md outline-hidden data-[side=bottom]:slide-in-from-top-2 data-[side=left]:slide-in-from-right-2 data-[side=right]:slide-in-from-left-2 data-[side=top]:slide-in-from-bottom-2 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

export const PopoverHeader = part("div", "popover-header", "flex flex-col gap-1 text-sm");
export const PopoverTitle = part("div", "popover-title", "font-medium");
export const PopoverDescription = part("p", "popover-description", "text-muted-foreground");
