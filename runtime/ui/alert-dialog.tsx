// `@/components/ui/alert-dialog`
import { AlertDialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const AlertDialog = Radix.Root;
export const AlertDialogTrigger = part(Radix.Trigger, "alert-dialog-trigger");
export const AlertDialogPortal = Radix.Portal;
export const AlertDialogOverlay = part(
  Radix.Overlay,
  "alert-dialog-overlay",
  "fixed inset-0 z-50 bg-black/50 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0",
);

export function AlertDialogContent({
  className,
  size = "default",
  ...props
}: ComponentProps<typeof Radix.Content> & { size?: "default" | "sm" }) {
  return (
    <AlertDialogPortal>
      <AlertDialogOverlay />
      <Radix.Content
        data-slot="alert-dialog-content"
        data-size={size}
        className={cn(
          "fixed top-1/2 left-1/2 z-50 grid w-full max-w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 gap-4 rounded-lg border bg-background p-6 text-foreground shadow-lg duration-200 data-[size=default]:sm:max-w-lg data-[size=sm]:max-w-xs data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95",
          className,
        )}
        {...props}
      />
    </AlertDialogPortal>
  );
}

export const AlertDialogHeader = part("div", "alert-dialog-header", "flex flex-col gap-2 text-center sm:text-left");
export const AlertDialogFooter = part(
  "div",
  "alert-dialog-footer",
  "flex flex-col-reverse gap-2 sm:flex-row sm:justify-end",
);
export const AlertDialogMedia = part(
  "div",
  "alert-dialog-media",
  "mb-2 inline-flex size-16 items-center justify-center rounded-md bg-muted *:[svg:not([class*='size-'])]:size-8",
);
export const AlertDialogTitle = part(Radix.Title, "alert-dialog-title", "text-lg font-semibold");
export const AlertDialogDescription = part(
  Radix.Description,
  "alert-dialog-description",
  "text-sm text-muted-foreground",
);

type ActionProps<T extends typeof Radix.Action | typeof Radix.Cancel> = ComponentProps<T> &
  Pick<ComponentProps<typeof Button>, "variant" | "size">;

export function AlertDialogAction({
  variant = "default",
  size = "default",
  ...props
}: ActionProps<typeof Radix.Action>) {
  return (
    <Button variant={variant} size={size} asChild>
      <Radix.Action data-slot="alert-dialog-action" {...props} />
    </Button>
  );
}

export function AlertDialogCancel({
  variant = "outline",
  size = "default",
  ...props
}: ActionProps<typeof Radix.Cancel>) {
  return (
    <Button variant={variant} size={size} asChild>
      <Radix.Cancel data-slot="alert-dialog-cancel" {...props} />
    </Button>
  );
}
