// `@/components/ui/dropdown-menu`
import { CheckIcon, ChevronRightIcon, CircleIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";
import {
  MENU_CHOICE,
  MENU_CONTENT,
  MENU_ITEM,
  MENU_LABEL,
  MENU_MARK,
  MENU_SEPARATOR,
  MENU_SHORTCUT,
  MENU_SUB_CONTENT,
  MENU_SUB_TRIGGER,
} from "./menu-classes.tsx";

export const DropdownMenu = Radix.Root;
export const DropdownMenuTrigger = part(Radix.Trigger, "dropdown-menu-trigger");
export const DropdownMenuGroup = part(Radix.Group, "dropdown-menu-group");
export const DropdownMenuPortal = Radix.Portal;
export const DropdownMenuSub = Radix.Sub;
export const DropdownMenuRadioGroup = part(Radix.RadioGroup, "dropdown-menu-radio-group");

export function DropdownMenuContent({ className, sideOffset = 4, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="dropdown-menu-content"
        sideOffset={sideOffset}
        className={cn(
          MENU_CONTENT,
          "max-h-(--radix-dropdown-menu-content-available-height) origin-(--radix-dropdown-menu-content-transform-origin)",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

export function DropdownMenuItem({
  className,
  inset,
  variant = "default",
  ...props
}: ComponentProps<typeof Radix.Item> & { inset?: boolean; variant?: "default" | "destructive" }) {
  return (
    <Radix.Item
      data-slot="dropdown-menu-item"
      data-inset={inset}
      data-variant={variant}
      className={cn(MENU_ITEM, className)}
      {...props}
    />
  );
}

export function DropdownMenuCheckboxItem({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem data-slot="dropdown-menu-checkbox-item" className={cn(MENU_CHOICE, className)} {...props}>
      <span className={MENU_MARK}>
        <Radix.ItemIndicator>
          <CheckIcon className="size-4" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem data-slot="dropdown-menu-radio-item" className={cn(MENU_CHOICE, className)} {...props}>
      <span className={MENU_MARK}>
        <Radix.ItemIndicator>
          <CircleIcon className="size-2 fill-current" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.RadioItem>
  );
}

export function DropdownMenuLabel({
  className,
  inset,
  ...props
}: ComponentProps<typeof Radix.Label> & { inset?: boolean }) {
  return (
    <Radix.Label data-slot="dropdown-menu-label" data-inset={inset} className={cn(MENU_LABEL, className)} {...props} />
  );
}

export const DropdownMenuSeparator = part(Radix.Separator, "dropdown-menu-separator", MENU_SEPARATOR);
export const DropdownMenuShortcut = part("span", "dropdown-menu-shortcut", MENU_SHORTCUT);

export function DropdownMenuSubTrigger({
  className,
  inset,
  children,
  ...props
}: ComponentProps<typeof Radix.SubTrigger> & { inset?: boolean }) {
  return (
    <Radix.SubTrigger
      data-slot="dropdown-menu-sub-trigger"
      data-inset={inset}
      className={cn(MENU_SUB_TRIGGER, className)}
      {...props}
    >
      {children}
      <ChevronRightIcon className="ml-auto size-4" />
    </Radix.SubTrigger>
  );
}

export const DropdownMenuSubContent = part(Radix.SubContent, "dropdown-menu-sub-content", MENU_SUB_CONTENT);
