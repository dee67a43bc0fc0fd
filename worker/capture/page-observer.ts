// Scripts inside a page, in an isolated context that the document can neither see nor change. They report blocked
// loads, the failures of a jsx document's runtime, and when the document is idle. These functions are sent as text:
// they may use nothing from outside themselves.

/** Reports through the function with that name, which only its isolated context has. */
export function observePage(reportFunction: string): void {
  if (window !== window.top) return;
  let left = 100;
  const report = (message: object) => {
    const send = (globalThis as unknown as Record<string, (text: string) => void>)[reportFunction];
    if (left-- > 0) send?.(JSON.stringify(message));
  };
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 2_000) : undefined);
  window.addEventListener(
    "message",
    ({ source, data }: MessageEvent<Record<string, unknown> | null>) => {
      if (source !== window || data?.["type"] !== "plinth:error") return;
      const { message, component, line, column } = data;
      report({ type: "plinth:error", message: text(message), component: text(component), line, column });
    },
    true,
  );
  window.addEventListener(
    "securitypolicyviolation",
    ({ effectiveDirective, blockedURI }) => {
      const url = URL.canParse(blockedURI) ? new URL(blockedURI) : null;
      const address = url?.host ? url.origin + url.pathname : blockedURI;
      report({ type: "plinth:blocked", directive: effectiveDirective, address: text(address) });
    },
    true,
  );
}

/** Waits until nothing has changed for a while and the fonts have loaded, but no longer than `limitMs`. */
export function waitForIdle(quietMs: number, limitMs: number): Promise<void> {
  const startedAt = performance.now();
  let changedAt = startedAt;
  let checkedAt = startedAt;
  const observer = new MutationObserver(() => {
    changedAt = performance.now();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  return new Promise((resolve) => {
    const check = () => {
      const now = performance.now();
      // The whole process was suspended, and the document's pending work may run only after this check.
      if (now - checkedAt > 100) changedAt = now;
      checkedAt = now;
      if (now - startedAt < limitMs && (document.fonts.status !== "loaded" || now - changedAt < quietMs)) {
        setTimeout(check, 50);
        return;
      }
      observer.disconnect();
      resolve();
    };
    check();
  });
}

/** Skips fades and slides to their end, and waits for the browser to draw it. */
export function finishAnimations(): Promise<void> {
  for (const animation of document.getAnimations()) {
    if (animation.effect !== null && Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
  }
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
