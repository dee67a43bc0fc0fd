// `@/components/ui/sonner`
import { CircleCheckIcon, InfoIcon, Loader2Icon, OctagonXIcon, TriangleAlertIcon } from "lucide-react";
import type { ComponentProps, CSSProperties } from "react";
import { Toaster as Sonner } from "sonner";

export { toast } from "sonner";

const COLOURS: Record<`--${string}`, string> = {
  "--normal-bg": "var(--popover)",
  "--normal-text": "var(--popover-foreground)",
  "--normal-border": "var(--border)",
  "--border-radius": "var(--radius)",
};

export function Toaster({ style, ...props }: ComponentProps<typeof Sonner>) {
  return (
    <Sonner
      className="toaster group"
      icons={{
        success: <CircleCheckIcon className="size-4" />,
        info: <InfoIcon className="size-4" />,
        warning: <TriangleAlertIcon className="size-4" />,
        error: <OctagonXIcon className="size-4" />,
        loading: <Loader2Icon className="size-4 animate-spin" />,
      }}
      style={{ ...(COLOURS as CSSProperties), ...style }}
      {...props}
    />
  );
}
