// `@/components/ui/toast`
import { cva, type VariantProps } from "class-variance-authority";
import { XIcon } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import type { ComponentProps, ReactElement } from "react";
import { part } from "./part.ts";
import { cn } from "../vendor/shadcn/lib/utils.ts";

export const ToastProvider = Radix.Provider;
export const ToastViewport = part(
  Radix.Viewport,
  "toast-viewport",
  "fixed top-0 z-[100] flex max-h-screen w-full flex-col-reverse p-4 sm:top-auto sm:right-0 sm:bottom-0 sm:flex-col md:max-w-[420px]",
);

const toastVariants = cva(
  "group pointer-events-auto relative mt-2 flex w-full items-center justify-between space-x-4 overflow-hidden rounded-md border p-6 pr-8 shadow-lg transition-all data-[state=closed]:animate-out data-[state=closed]:fade-out-80 data-[state=closed]:slide-out-to-right-full data-[state=open]:animate-in data-[state=open]:slide-in-from-bottom-full data-[swipe=cancel]:translate-x-0 data-[swipe=end]:translate-x-[var(--radix-toast-swipe-end-x)] data-[swipe=end]:animate-out data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)] data-[swipe=move]:transition-none",
  {
    variants: {
      variant: {
        default: "bg-background text-foreground",
        destructive: "destructive group border-destructive bg-destructive text-white",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

export type ToastProps = ComponentProps<typeof Radix.Root> & VariantProps<typeof toastVariants>;
export type ToastActionElement = ReactElement<typeof ToastAction>;

export function Toast({ className, variant, ...props }: ToastProps) {
  return <Radix.Root data-slot="toast" className={cn(toastVariants({ variant }), className)} {...props} />;
}

export const ToastAction = part(
  Radix.Action,
  "toast-action",
  "inline-flex h-8 shrink-0 items-center justify-center rounded-md border bg-transparent px-3 text-sm font-medium transition-colors group-[.destructive]:border-white/40 hover:bg-secondary group-[.destructive]:hover:bg-white/10 focus-visible:ring-[3px] focus-visible:ring-ring/50 focus-visible:outline-hidden disabled:pointer-events-none disabled:opacity-50",
);

export function ToastClose({ className, ...props }: ComponentProps<typeof Radix.Close>) {
  return (
    <Radix.Close
      data-slot="toast-close"
      aria-label="Close"
      className={cn(
        "absolute top-2 right-2 rounded-md p-1 text-foreground/50 opacity-0 transition-opacity group-hover:opacity-100 group-[.destructive]:text-white/70 hover:text-foreground group-[.destructive]:hover:text-white focus:opacity-100 focus-visible:ring-2 focus-visible:ring-ring/50 focus-visible:outline-hidden",
        className,
      )}
      {...props}
    >
      <XIcon className="size-4" />
    </Radix.Close>
  );
}

export const ToastTitle = part(Radix.Title, "toast-title", "text-sm font-semibold");
export const ToastDescription = part(Radix.Description, "toast-description", "text-sm opacity-90");
