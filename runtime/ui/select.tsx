// `@/components/ui/select`
import { CheckIcon, ChevronDownIcon, ChevronUpIcon } from "lucide-react";
import { Select as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Select = Radix.Root;
export const SelectGroup = part(Radix.Group, "select-group");
export const SelectValue = part(Radix.Value, "select-value");

export function SelectTrigger({
  className,
  size = "default",
  children,
  ...props
}: ComponentProps<typeof Radix.Trigger> & { size?: "sm" | "default" }) {
  return (
    <Radix.Trigger
      data-slot="select-trigger"
      data-size={size}
      className={cn(
        "flex w-fit items-center justify-between gap-2 rounded-md border border-input bg-transparent px-3 py-2 text-sm whitespace-nowrap shadow-xs transition-[color,box-shadow] outline-none focus-visible:border-ring focus-visible:ring-[3px] focus-visible:ring-ring/50 disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-destructive aria-invalid:ring-destructive/20 data-[placeholder]:text-muted-foreground data-[size=default]:h-9 data-[size=sm]:h-8 *:data-[slot=select-value]:line-clamp-1 *:data-[slot=select-value]:flex *:data-[slot=select-value]:items-center *:data-[slot=select-value]:gap-2 dark:bg-input/30 dark:hover:bg-input/50 [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4 [&_svg:not([class*='text-'])]:text-muted-foreground",
        className,
      )}
      {...props}
    >
      {children}
      <Radix.Icon asChild>
        <ChevronDownIcon className="size-4 opacity-50" />
      </Radix.Icon>
    </Radix.Trigger>
  );
}

export function SelectContent({
  className,
  children,
  position = "popper",
  align = "center",
  ...props
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="select-content"
        position={position}
        align={align}
        className={cn(
          "relative z-50 max-h-(--radix-select-content-available-height) min-w-[8rem] origin-(--radix-select-content-transform-origin) overflow-x-hidden overflow-y-auto rounded-md border bg-popover text-popover-foreground shadow-md data-[side=bottom]:slide-in-from-top-2 data-[side=left]:slide-in-from-right-2 data-[side=right]:slide-in-from-left-2 data-[side=top]:slide-in-from-bottom-2 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95",
          position === "popper" &&
            "data-[side=bottom]:translate-y-1 data-[side=left]:-translate-x-1 data-[side=right]:translate-x-1 data-[side=top]:-translate-y-1",
          className,
        )}
        {...props}
      >
        <SelectScrollUpButton />
        <Radix.Viewport
          className={cn(
            "p-1",
            position === "popper" &&
              "h-[var(--radix-select-trigger-height)] w-full min-w-[var(--radix-select-trigger-width)] scroll-my-1",
          )}
        >
          {children}
        </Radix.Viewport>
        <SelectScrollDownButton />
      </Radix.Content>
    </Radix.Portal>
  );
}

export const SelectLabel = part(Radix.Label, "select-label", "px-2 py-1.5 text-xs text-muted-foreground");

export function SelectItem({ className, children, ...props }: ComponentProps<typeof Radix.Item>) {
  return (
    <Radix.Item
      data-slot="select-item"
      className={cn(
        "relative flex w-full cursor-default items-center gap-2 rounded-sm py-1.5 pr-8 pl-2 text-sm outline-hidden select-none focus:bg-accent focus:text-accent-foreground data-[disabled]:pointer-events-none data-[disabled]:opacity-50 [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
        className,
      )}
      {...props}
    >
      <span data-slot="select-item-indicator" className="absolute right-2 flex size-3.5 items-center justify-center">
        <Radix.ItemIndicator>
          <CheckIcon className="size-4" />
        </Radix.ItemIndicator>
      </span>
      <Radix.ItemText>{children}</Radix.ItemText>
    </Radix.Item>
  );
}

export const SelectSeparator = part(
  Radix.Separator,
  "select-separator",
  "pointer-events-none -mx-1 my-1 h-px bg-border",
);

const SCROLL_BUTTON = "flex cursor-default items-center justify-center py-1";

export function SelectScrollUpButton({ className, ...props }: ComponentProps<typeof Radix.ScrollUpButton>) {
  return (
    <Radix.ScrollUpButton data-slot="select-scroll-up-button" className={cn(SCROLL_BUTTON, className)} {...props}>
      <ChevronUpIcon className="size-4" />
    </Radix.ScrollUpButton>
  );
}

export function SelectScrollDownButton({ className, ...props }: ComponentProps<typeof Radix.ScrollDownButton>) {
  return (
    <Radix.ScrollDownButton data-slot="select-scroll-down-button" className={cn(SCROLL_BUTTON, className)} {...props}>
      <ChevronDownIcon className="size-4" />
    </Radix.ScrollDownButton>
  );
}
