// `@/components/ui/calendar`
import { ChevronDownIcon, ChevronLeftIcon, ChevronRightIcon, ChevronUpIcon } from "lucide-react";
import { type ComponentProps, useEffect, useRef } from "react";
import { type ChevronProps, type DayButton, DayPicker, getDefaultClassNames } from "react-day-picker";
import { Button, buttonVariants } from "./button.tsx";
import { cn } from "./lib/utils.ts";

export type CalendarProps = ComponentProps<typeof DayPicker> & {
  buttonVariant?: ComponentProps<typeof Button>["variant"];
};

const CLASSES = {
  root: "w-fit",
  months: "relative flex flex-col gap-4 md:flex-row",
  month: "flex w-full flex-col gap-4",
  nav: "absolute inset-x-0 top-0 flex w-full items-center justify-between gap-1",
  month_caption: "flex h-8 w-full items-center justify-center px-8",
  dropdowns: "flex h-8 w-full items-center justify-center gap-1.5 text-sm font-medium",
  dropdown_root:
    "relative rounded-md border border-input shadow-xs has-focus:border-ring has-focus:ring-[3px] has-focus:ring-ring/50",
  dropdown: "absolute inset-0 bg-popover opacity-0",
  month_grid: "w-full border-collapse",
  weekdays: "flex",
  weekday: "flex-1 rounded-md text-[0.8rem] font-normal text-muted-foreground select-none",
  week: "mt-2 flex w-full",
  week_number_header: "w-8 select-none",
  week_number: "text-[0.8rem] text-muted-foreground select-none",
  day: "group/day relative aspect-square size-full p-0 text-center select-none",
  range_start: "rounded-l-md bg-accent",
  range_middle: "rounded-none",
  range_end: "rounded-r-md bg-accent",
  today: "rounded-md bg-accent text-accent-foreground data-[selected=true]:rounded-none",
  outside: "text-muted-foreground aria-selected:text-muted-foreground",
  disabled: "text-muted-foreground opacity-50",
  hidden: "invisible",
};

export function Calendar({
  className,
  classNames,
  showOutsideDays = true,
  captionLayout = "label",
  buttonVariant = "ghost",
  components,
  ...props
}: CalendarProps) {
  const step = cn(buttonVariants({ variant: buttonVariant }), "size-8 p-0 select-none aria-disabled:opacity-50");
  const caption =
    captionLayout === "label"
      ? "text-sm font-medium select-none"
      : "flex h-8 items-center gap-1 rounded-md pr-1 pl-2 text-sm font-medium select-none [&>svg]:size-3.5 [&>svg]:text-muted-foreground";
  const own: Record<string, string> = { ...CLASSES, button_previous: step, button_next: step, caption_label: caption };
  const named = Object.entries(getDefaultClassNames()).map(([name, given]) => [name, cn(own[name], given)]);
  return (
    <DayPicker
      showOutsideDays={showOutsideDays}
      captionLayout={captionLayout}
      className={cn(
        "group/calendar w-fit bg-background p-3 in-data-[slot=card-content]:bg-transparent in-data-[slot=popover-content]:bg-transparent",
        className,
      )}
      classNames={{ ...Object.fromEntries(named), ...classNames }}
      components={{
        Root: ({ rootRef, ...root }) => <div data-slot="calendar" ref={rootRef} {...root} />,
        Chevron: CalendarChevron,
        DayButton: CalendarDayButton,
        ...components,
      }}
      {...props}
    />
  );
}

const CHEVRONS = { left: ChevronLeftIcon, right: ChevronRightIcon, up: ChevronUpIcon, down: ChevronDownIcon };

function CalendarChevron({ className, orientation = "down" }: ChevronProps) {
  const Icon = CHEVRONS[orientation];
  return <Icon className={cn("size-4", className)} />;
}

export function CalendarDayButton({ className, day, modifiers, ...props }: ComponentProps<typeof DayButton>) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (modifiers["focused"]) button.current?.focus();
  }, [modifiers]);
  const alone =
    modifiers["selected"] && !modifiers["range_start"] && !modifiers["range_end"] && !modifiers["range_middle"];
  return (
    <Button
      ref={button}
      variant="ghost"
      size="icon"
      data-day={day.date.toLocaleDateString()}
      data-selected-single={alone}
      data-range-start={modifiers["range_start"]}
      data-range-end={modifiers["range_end"]}
      data-range-middle={modifiers["range_middle"]}
      className={cn(
        "flex aspect-square size-auto w-full min-w-8 flex-col gap-1 leading-none font-normal group-data-[focused=true]/day:relative group-data-[focused=true]/day:z-10 group-data-[focused=true]/day:border-ring group-data-[focused=true]/day:ring-[3px] group-data-[focused=true]/day:ring-ring/50 data-[range-end=true]:rounded-md data-[range-end=true]:bg-primary data-[range-end=true]:text-primary-foreground data-[range-middle=true]:rounded-none data-[range-middle=true]:bg-accent data-[range-middle=true]:text-accent-foreground data-[range-start=true]:rounded-md data-[range-start=true]:bg-primary data-[range-start=true]:text-primary-foreground data-[selected-single=true]:bg-primary data-[selected-single=true]:text-primary-foreground [&>span]:text-xs [&>span]:opacity-70",
        className,
      )}
      {...props}
    />
  );
}
