// `@/components/ui/context-menu`
import { ContextMenu as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";
import { MENU_CONTENT, menuItems } from "./menu-items.tsx";

export const ContextMenu = Radix.Root;
export const ContextMenuTrigger = part(Radix.Trigger, "context-menu-trigger");
export const ContextMenuPortal = Radix.Portal;

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

export const {
  Group: ContextMenuGroup,
  Item: ContextMenuItem,
  CheckboxItem: ContextMenuCheckboxItem,
  RadioGroup: ContextMenuRadioGroup,
  RadioItem: ContextMenuRadioItem,
  Label: ContextMenuLabel,
  Separator: ContextMenuSeparator,
  Shortcut: ContextMenuShortcut,
  Sub: ContextMenuSub,
  SubTrigger: ContextMenuSubTrigger,
  SubContent: ContextMenuSubContent,
} = menuItems(Radix, "context-menu");
