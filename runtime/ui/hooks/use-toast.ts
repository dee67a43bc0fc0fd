// `@/hooks/use-toast`: the toasts of the page, which `@/components/ui/toaster` shows.
import { type ReactNode, useSyncExternalStore } from "react";
import type { ToastActionElement, ToastProps } from "../toast.tsx";

const MOST_SHOWN = 3;
/** How long a closed toast stays for its animation, in ms. */
const CLOSING_MS = 500;

export interface ToastContent extends Omit<ToastProps, "title" | "id"> {
  title?: ReactNode;
  description?: ReactNode;
  action?: ToastActionElement;
}

export interface ShownToast extends ToastContent {
  id: string;
}

let toasts: readonly ShownToast[] = [];
let made = 0;
const watchers = new Set<() => void>();

function show(next: readonly ShownToast[]): void {
  toasts = next;
  for (const changed of watchers) changed();
}

/** Closes one, or all. */
function dismiss(id?: string): void {
  const closes = (shown: ShownToast) => id === undefined || shown.id === id;
  const closing = new Set(toasts.filter(closes).map((shown) => shown.id));
  show(toasts.map((shown) => (closing.has(shown.id) ? { ...shown, open: false } : shown)));
  setTimeout(() => show(toasts.filter((shown) => !closing.has(shown.id))), CLOSING_MS);
}

/** Shows a toast on top of those there are. */
export function toast(content: ToastContent) {
  const id = String((made += 1));
  const onOpenChange = (open: boolean) => {
    content.onOpenChange?.(open);
    if (!open) dismiss(id);
  };
  show([{ ...content, id, open: true, onOpenChange }, ...toasts].slice(0, MOST_SHOWN));
  return {
    id,
    dismiss: () => dismiss(id),
    update: (changes: ToastContent) =>
      show(toasts.map((shown) => (shown.id === id ? { ...shown, ...changes, id } : shown))),
  };
}

export function useToast() {
  const shown = useSyncExternalStore(watch, () => toasts);
  return { toasts: shown, toast, dismiss };
}

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => void watchers.delete(changed);
}
