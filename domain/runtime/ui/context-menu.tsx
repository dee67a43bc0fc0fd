// `@/components/ui/context-menu`
import { CheckIcon, ChevronRightIcon, CircleIcon } from "lucide-react";
import { ContextMenu as Radix } from "radix-ui";
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

export const ContextMenu = Radix.Root;
export const ContextMenuTrigger = part(Radix.Trigger, "context-menu-trigger");
export const ContextMenuGroup = part(Radix.Group, "context-menu-group");
export const ContextMenuPortal = Radix.Portal;
export const ContextMenuSub = Radix.Sub;
export const ContextMenuRadioGroup = part(Radix.RadioGroup, "context-menu-radio-group");

export function ContextMenuContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="context-menu-content"
        className={cn(
          MENU_CONTENT,
          "max-h-(--radix-context-menu-content-available-height) origin-(--radix-context-menu-content-transform-origin)",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

export function ContextMenuItem({
  className,
  inset,
  variant = "default",
  ...props
}: ComponentProps<typeof Radix.Item> & { inset?: boolean; variant?: "default" | "destructive" }) {
  return (
    <Radix.Item
      data-slot="context-menu-item"
      data-inset={inset}
      data-variant={variant}
      className={cn(MENU_ITEM, className)}
      {...props}
    />
  );
}

export function ContextMenuCheckboxItem({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem data-slot="context-menu-checkbox-item" className={cn(MENU_CHOICE, className)} {...props}>
      <span className={MENU_MARK}>
        <Radix.ItemIndicator>
          <CheckIcon className="size-4" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

export function ContextMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem data-slot="context-menu-radio-item" className={cn(MENU_CHOICE, className)} {...props}>
      <span className={MENU_MARK}>
        <Radix.ItemIndicator>
          <CircleIcon className="size-2 fill-current" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.RadioItem>
  );
}

export function ContextMenuLabel({
  className,
  inset,
  ...props
}: ComponentProps<typeof Radix.Label> & { inset?: boolean }) {
  return (
    <Radix.Label data-slot="context-menu-label" data-inset={inset} className={cn(MENU_LABEL, className)} {...props} />
  );
}

export const ContextMenuSeparator = part(Radix.Separator, "context-menu-separator", MENU_SEPARATOR);
export const ContextMenuShortcut = part("span", "context-menu-shortcut", MENU_SHORTCUT);

export function ContextMenuSubTrigger({
  className,
  inset,
  children,
  ...props
}: ComponentProps<typeof Radix.SubTrigger> & { inset?: boolean }) {
  return (
    <Radix.SubTrigger
      data-slot="context-menu-sub-trigger"
      data-inset={inset}
      className={cn(MENU_SUB_TRIGGER, className)}
      {...props}
    >
      {children}
      <ChevronRightIcon className="ml-auto size-4" />
    </Radix.SubTrigger>
  );
}

export const ContextMenuSubContent = part(Radix.SubContent, "context-menu-sub-content", MENU_SUB_CONTENT);
