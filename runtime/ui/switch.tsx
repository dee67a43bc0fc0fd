// `@/components/ui/switch`
import { Switch as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./lib/utils.ts";

export function Switch({
  className,
  size = "default",
  ...props
}: ComponentProps<typeof Radix.Root> & { size?: "sm" | "default" }) {
  return (
    <Radix.Root
      data-slot="switch"
      data-size={size}
      className={cn(
        "peer group/switch inline-flex h-[1.15rem] w-8 shrink-0 items-center rounded-full border border-transparent shadow-xs transition-all outline-none focus-visible:border-ring focus-visible:ring-[3px] focus-visible:ring-ring/50 disabled:cursor-not-allowed disabled:opacity-50 data-[size=sm]:h-3.5 data-[size=sm]:w-6 data-[state=checked]:bg-primary data-[state=unchecked]:bg-input dark:data-[state=unchecked]:bg-input/80",
        className,
      )}
      {...props}
    >
      <Radix.Thumb
        data-slot="switch-thumb"
        className="pointer-events-none block size-4 rounded-full bg-background ring-0 transition-transform group-data-[size=sm]/switch:size-3 data-[state=checked]:translate-x-[calc(100%-2px)] data-[state=unchecked]:translate-x-0 dark:data-[state=checked]:bg-primary-foreground dark:data-[state=unchecked]:bg-foreground"
      />
    </Radix.Root>
  );
}
