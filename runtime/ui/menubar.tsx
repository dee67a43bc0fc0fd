// `@/components/ui/menubar`
import { Menubar as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";
import { MENU_CONTENT, menuItems } from "./menu-items.tsx";

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
export const MenubarPortal = Radix.Portal;

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

export const {
  Group: MenubarGroup,
  Item: MenubarItem,
  CheckboxItem: MenubarCheckboxItem,
  RadioGroup: MenubarRadioGroup,
  RadioItem: MenubarRadioItem,
  Label: MenubarLabel,
  Separator: MenubarSeparator,
  Shortcut: MenubarShortcut,
  Sub: MenubarSub,
  SubTrigger: MenubarSubTrigger,
  SubContent: MenubarSubContent,
} = menuItems(Radix, "menubar");
