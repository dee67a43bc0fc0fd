// `@/components/ui/slider`
import { Slider as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./lib/utils.ts";

/** One thumb for each number of `value` or `defaultValue`; one where neither is given. */
export function Slider({ className, value, defaultValue, ...props }: ComponentProps<typeof Radix.Root>) {
  const given = { ...(value && { value }), ...(defaultValue && { defaultValue }) };
  const thumbs = (value ?? defaultValue ?? [props.min ?? 0]).length;
  return (
    <Radix.Root
      data-slot="slider"
      className={cn(
        "relative flex w-full touch-none items-center select-none data-[disabled]:opacity-50 data-[orientation=vertical]:h-full data-[orientation=vertical]:min-h-44 data-[orientation=vertical]:w-auto data-[orientation=vertical]:flex-col",
        className,
      )}
      {...given}
      {...props}
    >
      <Radix.Track
        data-slot="slider-track"
        className="relative grow overflow-hidden rounded-full bg-muted data-[orientation=horizontal]:h-1.5 data-[orientation=horizontal]:w-full data-[orientation=vertical]:h-full data-[orientation=vertical]:w-1.5"
      >
        <Radix.Range
          data-slot="slider-range"
          className="absolute bg-primary data-[orientation=horizontal]:h-full data-[orientation=vertical]:w-full"
        />
      </Radix.Track>
      {Array.from({ length: thumbs }, (_, index) => (
        <Radix.Thumb
          data-slot="slider-thumb"
          key={index}
          className="block size-4 shrink-0 rounded-full border border-primary bg-white shadow-sm ring-ring/50 transition-[color,box-shadow] hover:ring-4 focus-visible:ring-4 focus-visible:outline-hidden disabled:pointer-events-none disabled:opacity-50"
        />
      ))}
    </Radix.Root>
  );
}
