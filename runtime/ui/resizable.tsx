// `@/components/ui/resizable`
import { GripVerticalIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { cn } from "./lib/utils.ts";

/** `direction` is what older documents call `orientation`. */
export function ResizablePanelGroup({
  className,
  direction,
  orientation = direction ?? "horizontal",
  ...props
}: ComponentProps<typeof Group> & { direction?: "horizontal" | "vertical" }) {
  return (
    <Group
      data-slot="resizable-panel-group"
      data-panel-group-direction={orientation}
      orientation={orientation}
      className={cn("group/resizable flex size-full data-[panel-group-direction=vertical]:flex-col", className)}
      {...props}
    />
  );
}

type Size = ComponentProps<typeof Panel>["defaultSize"];

export function ResizablePanel({
  defaultSize,
  minSize,
  maxSize,
  collapsedSize,
  ...props
}: ComponentProps<typeof Panel>) {
  return (
    <Panel
      data-slot="resizable-panel"
      {...(defaultSize !== undefined && { defaultSize: share(defaultSize) })}
      {...(minSize !== undefined && { minSize: share(minSize) })}
      {...(maxSize !== undefined && { maxSize: share(maxSize) })}
      {...(collapsedSize !== undefined && { collapsedSize: share(collapsedSize) })}
      {...props}
    />
  );
}

// A bare number has always been a percentage to documents; what cannot be one is pixels, as the library has it.
function share(size: NonNullable<Size>): string | number {
  return typeof size === "number" && size <= 100 ? `${size}%` : size;
}

export function ResizableHandle({
  withHandle,
  className,
  ...props
}: ComponentProps<typeof Separator> & { withHandle?: boolean }) {
  return (
    <Separator
      data-slot="resizable-handle"
      className={cn(
        "relative flex w-px items-center justify-center bg-border outline-hidden group-data-[panel-group-direction=vertical]/resizable:h-px group-data-[panel-group-direction=vertical]/resizable:w-full after:absolute after:inset-y-0 after:left-1/2 after:w-1 after:-translate-x-1/2 group-data-[panel-group-direction=vertical]/resizable:after:inset-x-0 group-data-[panel-group-direction=vertical]/resizable:after:inset-y-auto group-data-[panel-group-direction=vertical]/resizable:after:left-0 group-data-[panel-group-direction=vertical]/resizable:after:h-1 group-data-[panel-group-direction=vertical]/resizable:after:w-full group-data-[panel-group-direction=vertical]/resizable:after:translate-x-0 focus-visible:ring-1 focus-visible:ring-ring [&[aria-orientation=horizontal]>div]:rotate-90",
        className,
      )}
      {...props}
    >
      {withHandle && (
        <div className="z-10 flex h-4 w-3 items-center justify-center rounded-xs border bg-border">
          <GripVerticalIcon className="size-2.5" />
        </div>
      )}
    </Separator>
  );
}
