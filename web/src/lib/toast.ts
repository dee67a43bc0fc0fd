// Says something in passing, with a way back where there is one. What shows it is loaded with the first toast, so that
// pages that say nothing carry none of it.

export interface ToastOptions {
  /** What can be done about it from the toast itself; that closes it. */
  action?: { label: string; run: () => void };
  /** A problem stays until it is closed. */
  kind?: "done" | "problem";
}

/** How long a toast is there, in ms; whoever points at it or focuses it has all the time. */
const shownMs = 6_000;
const shownWithActionMs = 12_000;

let toaster: Promise<typeof import("./toaster.ts")> | undefined;

/** Shows the message as text, whatever is in it, and has screen readers say it. In the browser alone. */
export function toast(message: string, options: ToastOptions = {}): void {
  void show(message, options);
}

async function show(message: string, { action, kind = "done" }: ToastOptions): Promise<void> {
  const { sonner } = await (toaster ??= import("./toaster.ts"));
  const duration = kind === "problem" ? Number.POSITIVE_INFINITY : action ? shownWithActionMs : shownMs;
  sonner(message, {
    duration,
    class: kind,
    ...(kind === "problem" && { important: true, closeButton: true }),
    ...(action && { action: { label: action.label, onClick: action.run } }),
  });
}
