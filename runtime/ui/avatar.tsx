// `@/components/ui/avatar`
import { Avatar as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export function Avatar({
  className,
  size = "default",
  ...props
}: ComponentProps<typeof Radix.Root> & { size?: "default" | "sm" | "lg" }) {
  return (
    <Radix.Root
      data-slot="avatar"
      data-size={size}
      className={cn(
        "group/avatar relative flex size-8 shrink-0 overflow-hidden rounded-full select-none has-data-[slot=avatar-badge]:overflow-visible data-[size=lg]:size-10 data-[size=sm]:size-6",
        className,
      )}
      {...props}
    />
  );
}

export const AvatarImage = part(Radix.Image, "avatar-image", "aspect-square size-full rounded-full object-cover");
export const AvatarFallback = part(
  Radix.Fallback,
  "avatar-fallback",
  "flex size-full items-center justify-center rounded-full bg-muted text-sm text-muted-foreground group-data-[size=sm]/avatar:text-xs",
);
export const AvatarBadge = part(
  "span",
  "avatar-badge",
  "absolute right-0 bottom-0 z-10 inline-flex size-2.5 items-center justify-center rounded-full bg-primary text-primary-foreground ring-2 ring-background select-none [&>svg]:size-2",
);
export const AvatarGroup = part(
  "div",
  "avatar-group",
  "group/avatar-group flex -space-x-2 *:data-[slot=avatar]:ring-2 *:data-[slot=avatar]:ring-background",
);
export const AvatarGroupCount = part(
  "div",
  "avatar-group-count",
  "relative flex size-8 shrink-0 items-center justify-center rounded-full bg-muted text-sm text-muted-foreground ring-2 ring-background",
);
