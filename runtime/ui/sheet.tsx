// `@/components/ui/sheet`
import { cva, type VariantProps } from "class-variance-authority";
import { XIcon } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Sheet = Radix.Root;
export const SheetTrigger = part(Radix.Trigger, "sheet-trigger");
export const SheetClose = part(Radix.Close, "sheet-close");
export const SheetPortal = Radix.Portal;
export const SheetOverlay = part(
  Radix.Overlay,
  "sheet-overlay",
  "fixed inset-0 z-50 bg-black/50 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0",
);

const sheetVariants = cva(
  "fixed z-50 flex flex-col gap-4 bg-background text-foreground shadow-lg transition ease-in-out data-[state=closed]:animate-out data-[state=closed]:duration-300 data-[state=open]:animate-in data-[state=open]:duration-500",
  {
    variants: {
      side: {
        top: "inset-x-0 top-0 h-auto border-b data-[state=closed]:slide-out-to-top data-[state=open]:slide-in-from-top",
        bottom:
          "inset-x-0 bottom-0 h-auto border-t data-[state=closed]:slide-out-to-bottom data-[state=open]:slide-in-from-bottom",
        left: "inset-y-0 left-0 h-full w-3/4 border-r data-[state=closed]:slide-out-to-left data-[state=open]:slide-in-from-left sm:max-w-sm",
        right:
          "inset-y-0 right-0 h-full w-3/4 border-l data-[state=closed]:slide-out-to-right data-[state=open]:slide-in-from-right sm:max-w-sm",
      },
    },
    defaultVariants: { side: "right" },
  },
);

export function SheetContent({
  side = "right",
  className,
  children,
  showCloseButton = true,
  ...props
}: ComponentProps<typeof Radix.Content> & VariantProps<typeof sheetVariants> & { showCloseButton?: boolean }) {
  return (
    <SheetPortal>
      <SheetOverlay />
      <Radix.Content data-slot="sheet-content" className={cn(sheetVariants({ side }), className)} {...props}>
        {children}
        {showCloseButton && (
          <Radix.Close className="absolute top-4 right-4 rounded-xs opacity-70 transition-opacity hover:opacity-100 focus:ring-2 focus:ring-ring focus:ring-offset-2 focus:outline-hidden disabled:pointer-events-none">
            <XIcon className="size-4" />
            <span className="sr-only">Close</span>
          </Radix.Close>
        )}
      </Radix.Content>
    </SheetPortal>
  );
}

export const SheetHeader = part("div", "sheet-header", "flex flex-col gap-1.5 p-4");
export const SheetFooter = part("div", "sheet-footer", "mt-auto flex flex-col gap-2 p-4");
export const SheetTitle = part(Radix.Title, "sheet-title", "font-semibold text-foreground");
export const SheetDescription = part(Radix.Description, "sheet-description", "text-sm text-muted-foreground");
