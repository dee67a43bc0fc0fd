// `@/components/ui/menubar`
import { CheckIcon, ChevronRightIcon, CircleIcon } from "lucide-react";
import { Menubar as Radix } from "radix-ui";
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

export const Menubar = part(
  Radix.Root,
  "menubar",
  "flex h-9 items-center gap-1 rounded-md border bg-background p-1 shadow-xs",
);
export const MenubarMenu = Radix.Menu;
export const MenubarTrigger = part(
  Radix.Trigger,
  "menubar-trigger",
  "flex items-center rounded-sm px-2 py-1 text-sm font-medium outline-hidden select-none focus:bg-accent focus:text-accent-foreground data-[state=open]:bg-accent data-[state=open]:text-accent-foreground",
);
export const MenubarGroup = part(Radix.Group, "menubar-group");
export const MenubarPortal = Radix.Portal;
export const MenubarSub = Radix.Sub;
export const MenubarRadioGroup = part(Radix.RadioGroup, "menubar-radio-group");

export function MenubarContent({
  className,
  align = "start",
  alignOffset = -4,
  sideOffset = 8,
  ...props
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="menubar-content"
        align={align}
        alignOffset={alignOffset}
        sideOffset={sideOffset}
        className={cn(MENU_CONTENT, "min-w-[12rem] origin-(--radix-menubar-content-transform-origin)", className)}
        {...props}
      />
    </Radix.Portal>
  );
}

export function MenubarItem({
  className,
  inset,
  variant = "default",
  ...props
}: ComponentProps<typeof Radix.Item> & { inset?: boolean; variant?: "default" | "destructive" }) {
  return (
    <Radix.Item
      data-slot="menubar-item"
      data-inset={inset}
      data-variant={variant}
      className={cn(MENU_ITEM, className)}
      {...props}
    />
  );
}

export function MenubarCheckboxItem({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem data-slot="menubar-checkbox-item" className={cn(MENU_CHOICE, className)} {...props}>
      <span className={MENU_MARK}>
        <Radix.ItemIndicator>
          <CheckIcon className="size-4" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

export function MenubarRadioItem({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem data-slot="menubar-radio-item" className={cn(MENU_CHOICE, className)} {...props}>
      <span className={MENU_MARK}>
        <Radix.ItemIndicator>
          <CircleIcon className="size-2 fill-current" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.RadioItem>
  );
}

export function MenubarLabel({ className, inset, ...props }: ComponentProps<typeof Radix.Label> & { inset?: boolean }) {
  return <Radix.Label data-slot="menubar-label" data-inset={inset} className={cn(MENU_LABEL, className)} {...props} />;
}

export const MenubarSeparator = part(Radix.Separator, "menubar-separator", MENU_SEPARATOR);
export const MenubarShortcut = part("span", "menubar-shortcut", MENU_SHORTCUT);

export function MenubarSubTrigger({
  className,
  inset,
  children,
  ...props
}: ComponentProps<typeof Radix.SubTrigger> & { inset?: boolean }) {
  return (
    <Radix.SubTrigger
      data-slot="menubar-sub-trigger"
      data-inset={inset}
      className={cn(MENU_SUB_TRIGGER, className)}
      {...props}
    >
      {children}
      <ChevronRightIcon className="ml-auto size-4" />
    </Radix.SubTrigger>
  );
}

export const MenubarSubContent = part(Radix.SubContent, "menubar-sub-content", MENU_SUB_CONTENT);
