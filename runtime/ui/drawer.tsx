// `@/components/ui/drawer`
import type { ComponentProps } from "react";
import { Drawer as Vaul } from "vaul";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Drawer = Vaul.Root;
export const DrawerTrigger = part(Vaul.Trigger, "drawer-trigger");
export const DrawerPortal = Vaul.Portal;
export const DrawerClose = part(Vaul.Close, "drawer-close");
export const DrawerOverlay = part(
  Vaul.Overlay,
  "drawer-overlay",
  "fixed inset-0 z-50 bg-black/50 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0",
);

export function DrawerContent({ className, children, ...props }: ComponentProps<typeof Vaul.Content>) {
  return (
    <DrawerPortal>
      <DrawerOverlay />
      <Vaul.Content
        data-slot="drawer-content"
        className={cn(
          "group/drawer-content fixed z-50 flex h-auto flex-col bg-background text-foreground",
          "data-[vaul-drawer-direction=top]:inset-x-0 data-[vaul-drawer-direction=top]:top-0 data-[vaul-drawer-direction=top]:mb-24 data-[vaul-drawer-direction=top]:max-h-[80vh] data-[vaul-drawer-direction=top]:rounded-b-lg data-[vaul-drawer-direction=top]:border-b",
          "data-[vaul-drawer-direction=bottom]:inset-x-0 data-[vaul-drawer-direction=bottom]:bottom-0 data-[vaul-drawer-direction=bottom]:mt-24 data-[vaul-drawer-direction=bottom]:max-h-[80vh] data-[vaul-drawer-direction=bottom]:rounded-t-lg data-[vaul-drawer-direction=bottom]:border-t",
          "data-[vaul-drawer-direction=right]:inset-y-0 data-[vaul-drawer-direction=right]:right-0 data-[vaul-drawer-direction=right]:w-3/4 data-[vaul-drawer-direction=right]:border-l data-[vaul-drawer-direction=right]:sm:max-w-sm",
          "data-[vaul-drawer-direction=left]:inset-y-0 data-[vaul-drawer-direction=left]:left-0 data-[vaul-drawer-direction=left]:w-3/4 data-[vaul-drawer-direction=left]:border-r data-[vaul-drawer-direction=left]:sm:max-w-sm",
          className,
        )}
        {...props}
      >
        <div className="mx-auto mt-4 hidden h-2 w-[100px] shrink-0 rounded-full bg-muted group-data-[vaul-drawer-direction=bottom]/drawer-content:block" />
        {children}
      </Vaul.Content>
    </DrawerPortal>
  );
}

export const DrawerHeader = part(
  "div",
  "drawer-header",
  "flex flex-col gap-0.5 p-4 group-data-[vaul-drawer-direction=bottom]/drawer-content:text-center group-data-[vaul-drawer-direction=top]/drawer-content:text-center md:gap-1.5 md:text-left",
);
export const DrawerFooter = part("div", "drawer-footer", "mt-auto flex flex-col gap-2 p-4");
export const DrawerTitle = part(Vaul.Title, "drawer-title", "font-semibold text-foreground");
export const DrawerDescription = part(Vaul.Description, "drawer-description", "text-sm text-muted-foreground");
