// Scripts inside a page, in an isolated context that the document can neither see nor change. They report blocked
// loads, the failures of a jsx document's runtime, and when the document is idle. These functions are sent as text:
// they may use nothing from outside themselves.

/** Reports through the function with that name, which only its isolated context has. */
export function witness(tell: string): void {
  if (window !== window.top) return;
  let left = 100;
  const say = (what: object) => {
    if (left-- > 0) (globalThis as unknown as Record<string, (text: string) => void>)[tell]?.(JSON.stringify(what));
  };
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 2_000) : undefined);
  window.addEventListener(
    "message",
    ({ source, data }: MessageEvent<Record<string, unknown> | null>) => {
      if (source !== window || data?.["type"] !== "plinth:error") return;
      const { message, component, line, column } = data;
      say({ type: "plinth:error", message: text(message), component: text(component), line, column });
    },
    true,
  );
  window.addEventListener(
    "securitypolicyviolation",
    ({ effectiveDirective, blockedURI }) => {
      const address = URL.canParse(blockedURI) ? new URL(blockedURI) : null;
      const named = address?.host ? address.origin + address.pathname : blockedURI;
      say({ type: "plinth:blocked", directive: effectiveDirective, address: text(named) });
    },
    true,
  );
}

/** Waits until nothing has changed for a while and the fonts have loaded, but no longer than `limitMs`. */
export function settle(quietMs: number, limitMs: number): Promise<void> {
  const began = performance.now();
  let changed = began;
  let looked = began;
  const observer = new MutationObserver(() => {
    changed = performance.now();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  return new Promise((resolve) => {
    const look = () => {
      const now = performance.now();
      // The whole process was suspended, and the document's pending work may run only after this check.
      if (now - looked > 100) changed = now;
      looked = now;
      if (now - began < limitMs && (document.fonts.status !== "loaded" || now - changed < quietMs)) {
        setTimeout(look, 50);
        return;
      }
      observer.disconnect();
      resolve();
    };
    look();
  });
}

/** Skips fades and slides to their end, and waits for the browser to draw it. */
export function finish(): Promise<void> {
  for (const animation of document.getAnimations()) {
    if (animation.effect !== null && Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
  }
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
