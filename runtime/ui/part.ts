// Creates a part of a component: an element or another component with its name as data-slot and its classes.
import { type ComponentProps, createElement, type ElementType, type ReactElement } from "react";
import { cn } from "../vendor/shadcn/lib/utils.ts";

/** A component that takes what `element` takes; the caller's classes win over `classes`, and its props over `fixed`. */
export function part<T extends ElementType>(
  element: T,
  slot: string,
  classes = "",
  fixed: Partial<ComponentProps<T>> = {},
): (props: ComponentProps<T>) => ReactElement {
  function Part({ className, ...props }: { className?: string }): ReactElement {
    return createElement<object>(element, { "data-slot": slot, ...fixed, className: cn(classes, className), ...props });
  }
  Part.displayName = slot;
  return Part as (props: ComponentProps<T>) => ReactElement;
}
