// `@/components/ui/dialog`
import { XIcon } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Dialog = Radix.Root;
export const DialogTrigger = part(Radix.Trigger, "dialog-trigger");
export const DialogPortal = Radix.Portal;
export const DialogClose = part(Radix.Close, "dialog-close");
export const DialogOverlay = part(
  Radix.Overlay,
  "dialog-overlay",
  "fixed inset-0 z-50 bg-black/50 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0",
);

export function DialogContent({
  className,
  children,
  showCloseButton = true,
  ...props
}: ComponentProps<typeof Radix.Content> & { showCloseButton?: boolean }) {
  return (
    <DialogPortal>
      <DialogOverlay />
      <Radix.Content
        data-slot="dialog-content"
        className={cn(
          "fixed top-1/2 left-1/2 z-50 grid max-h-full w-full max-w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 gap-4 rounded-lg border bg-background p-6 text-foreground shadow-lg duration-200 outline-none data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 sm:max-w-lg",
          className,
        )}
        {...props}
      >
        {children}
        {showCloseButton && (
          <Radix.Close
            data-slot="dialog-close"
            className="absolute top-4 right-4 rounded-xs opacity-70 transition-opacity hover:opacity-100 focus:ring-2 focus:ring-ring focus:ring-offset-2 focus:outline-hidden disabled:pointer-events-none [&_svg]:pointer-events-none [&_svg:not([class*='size-'])]:size-4"
          >
            <XIcon />
            <span className="sr-only">Close</span>
          </Radix.Close>
        )}
      </Radix.Content>
    </DialogPortal>
  );
}

export const DialogHeader = part("div", "dialog-header", "flex flex-col gap-2 text-center sm:text-left");

export function DialogFooter({
  className,
  showCloseButton = false,
  children,
  ...props
}: ComponentProps<"div"> & { showCloseButton?: boolean }) {
  return (
    <div
      data-slot="dialog-footer"
      className={cn("flex flex-col-reverse gap-2 sm:flex-row sm:justify-end", className)}
      {...props}
    >
      {children}
      {showCloseButton && (
        <Radix.Close asChild>
          <Button variant="outline">Close</Button>
        </Radix.Close>
      )}
    </div>
  );
}

export const DialogTitle = part(Radix.Title, "dialog-title", "text-lg leading-none font-semibold");
export const DialogDescription = part(Radix.Description, "dialog-description", "text-sm text-muted-foreground");
