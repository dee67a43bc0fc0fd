// `@/components/ui/toggle-group`
import type { VariantProps } from "class-variance-authority";
import { ToggleGroup as Radix } from "radix-ui";
import { type ComponentProps, createContext, use } from "react";
import { cn } from "./lib/utils.ts";
import { toggleVariants } from "./toggle.tsx";

type Look = VariantProps<typeof toggleVariants> & { spacing?: number };

const LookContext = createContext<Look>({});

/** `spacing` is in Tailwind's steps; 0 joins the items. */
export function ToggleGroup({
  className,
  variant,
  size,
  spacing = 0,
  children,
  style,
  ...props
}: ComponentProps<typeof Radix.Root> & Look) {
  return (
    <Radix.Root
      data-slot="toggle-group"
      data-variant={variant}
      data-size={size}
      data-spacing={spacing}
      style={{ gap: `calc(var(--spacing, 0.25rem) * ${spacing})`, ...style }}
      className={cn("group/toggle-group flex w-fit items-center rounded-md", className)}
      {...props}
    >
      <LookContext value={{ variant, size, spacing }}>{children}</LookContext>
    </Radix.Root>
  );
}

export function ToggleGroupItem({
  className,
  variant,
  size,
  ...props
}: ComponentProps<typeof Radix.Item> & VariantProps<typeof toggleVariants>) {
  const look = use(LookContext);
  const shown = { variant: look.variant ?? variant, size: look.size ?? size };
  return (
    <Radix.Item
      data-slot="toggle-group-item"
      data-variant={shown.variant}
      data-size={shown.size}
      data-spacing={look.spacing}
      className={cn(
        toggleVariants(shown),
        "w-auto min-w-0 shrink-0 px-3 focus:z-10 focus-visible:z-10 data-[spacing=0]:rounded-none data-[spacing=0]:shadow-none data-[spacing=0]:first:rounded-l-md data-[spacing=0]:last:rounded-r-md data-[spacing=0]:data-[variant=outline]:border-l-0 data-[spacing=0]:data-[variant=outline]:first:border-l",
        className,
      )}
      {...props}
    />
  );
}
