// `@/lib/utils` of jsx documents.
import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names as clsx does; of Tailwind classes that contradict each other the last one stays. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}
