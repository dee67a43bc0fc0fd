// `@/components/ui/scroll-area`
import { ScrollArea as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./lib/utils.ts";

export function ScrollArea({ className, children, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root data-slot="scroll-area" className={cn("relative", className)} {...props}>
      <Radix.Viewport
        data-slot="scroll-area-viewport"
        className="size-full rounded-[inherit] transition-[color,box-shadow] outline-none focus-visible:ring-[3px] focus-visible:ring-ring/50 focus-visible:outline-1"
      >
        {children}
      </Radix.Viewport>
      <ScrollBar />
      <Radix.Corner />
    </Radix.Root>
  );
}

export function ScrollBar({
  className,
  orientation = "vertical",
  ...props
}: ComponentProps<typeof Radix.ScrollAreaScrollbar>) {
  return (
    <Radix.ScrollAreaScrollbar
      data-slot="scroll-area-scrollbar"
      orientation={orientation}
      className={cn(
        "flex touch-none p-px transition-colors select-none data-[orientation=horizontal]:h-2.5 data-[orientation=horizontal]:flex-col data-[orientation=horizontal]:border-t data-[orientation=horizontal]:border-t-transparent data-[orientation=vertical]:h-full data-[orientation=vertical]:w-2.5 data-[orientation=vertical]:border-l data-[orientation=vertical]:border-l-transparent",
        className,
      )}
      {...props}
    >
      <Radix.ScrollAreaThumb data-slot="scroll-area-thumb" className="relative flex-1 rounded-full bg-border" />
    </Radix.ScrollAreaScrollbar>
  );
}
