// `@/components/ui/tooltip`
import { Tooltip as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export function TooltipProvider({ delayDuration = 0, ...props }: ComponentProps<typeof Radix.Provider>) {
  return <Radix.Provider data-slot="tooltip-provider" delayDuration={delayDuration} {...props} />;
}

/** Brings its own provider, because documents often forget one. */
export function Tooltip({ delayDuration = 0, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <TooltipProvider delayDuration={delayDuration}>
      <Radix.Root data-slot="tooltip" {...props} />
    </TooltipProvider>
  );
}

export const TooltipTrigger = part(Radix.Trigger, "tooltip-trigger");

export function TooltipContent({
  className,
  sideOffset = 0,
  children,
  ...props
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="tooltip-content"
        sideOffset={sideOffset}
        className={cn(
          "z-50 w-fit origin-(--radix-tooltip-content-transform-origin) animate-in rounded-md bg-foreground px-3 py-1.5 text-xs text-balance text-background fade-in-0 zoom-in-95 data-[side=bottom]:slide-in-from-top-2 data-[side=left]:slide-in-from-right-2 data-[side=right]:slide-in-from-left-2 data-[side=top]:slide-in-from-bottom-2 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95",
          className,
        )}
        {...props}
      >
        {children}
        <Radix.Arrow className="z-50 size-2.5 translate-y-[calc(-50%_-_2px)] rotate-45 rounded-[2px] bg-foreground fill-foreground" />
      </Radix.Content>
    </Radix.Portal>
  );
}
