// Says something in passing, with a way back where there is one. What shows it is loaded with the first toast, so that
// pages that say nothing carry none of it.

import { tick } from "svelte";
import type * as Toaster from "./toaster.ts";

interface ToastOptions {
  /** What can be done about it from the toast itself; that closes it. */
  action?: { label: string; run: () => void };
  /** A problem stays until it is closed. */
  kind?: "done" | "problem";
  /** Whether the keyboard goes to the action, where what had it is gone; the toast then stays until it is used or closed. */
  takesFocus?: boolean;
}

/** How long a toast is there, in ms; it stays while it has the pointer or the focus. */
const shownMs = 6_000;
const shownWithActionMs = 12_000;

let toaster: Promise<typeof Toaster> | undefined;

/**
 * Shows the message as plain text, and has screen readers say it. In the browser alone. The returned function closes
 * it, for a page that goes and with it what its action needs.
 */
export function toast(message: string, options: ToastOptions = {}): () => void {
  const shown = show(message, options);
  return () => void shown.then((close) => close());
}

async function show(message: string, { action, kind = "done", takesFocus = false }: ToastOptions): Promise<() => void> {
  const { sonner } = await (toaster ??= import("./toaster.ts"));
  const stays = kind === "problem" || takesFocus;
  const duration = stays ? Number.POSITIVE_INFINITY : action ? shownWithActionMs : shownMs;
  const id = sonner(message, {
    duration,
    class: kind,
    ...(kind === "problem" && { important: true }),
    ...(stays && { closeButton: true }),
    ...(action && { action: { label: action.label, onClick: action.run } }),
  });
  if (takesFocus) {
    await tick();
    document.querySelector<HTMLElement>("[data-sonner-toast][data-front=true] [data-button]")?.focus();
  }
  return () => void sonner.dismiss(id);
}
