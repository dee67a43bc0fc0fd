// `@/components/ui/progress`
import { Progress as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./lib/utils.ts";

/** `value` out of `max`, which is 100 unless given. */
export function Progress({ className, value, max, ...props }: ComponentProps<typeof Radix.Root>) {
  const share = Math.min(100, Math.max(0, ((value ?? 0) / (max ?? 100)) * 100));
  return (
    <Radix.Root
      data-slot="progress"
      value={value ?? null}
      max={max ?? 100}
      className={cn("relative h-2 w-full overflow-hidden rounded-full bg-primary/20", className)}
      {...props}
    >
      <Radix.Indicator
        data-slot="progress-indicator"
        className="size-full flex-1 bg-primary transition-all"
        style={{ transform: `translateX(-${100 - share}%)` }}
      />
    </Radix.Root>
  );
}
