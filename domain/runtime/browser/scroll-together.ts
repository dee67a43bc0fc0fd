// A document that is read beside another: tells the page around it where one reads, once that asked, and goes where the
// page says. By proportion, since the two are of different lengths.

/** For so long after it was moved, that it moves is no news. */
const echoMs = 150;

/** Listens to the page alone; nothing is said until it asks. */
export function scrollTogether(): void {
  const { parent } = window;
  let isFollowed = false;
  let movedUntil = 0;
  let isDue = false;

  const room = () => {
    const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
    return Math.max(0, scrollHeight - clientHeight);
  };

  function tell(): void {
    isDue = false;
    const most = room();
    if (isFollowed && most > 0 && performance.now() >= movedUntil)
      parent.postMessage({ type: "plinth:scroll", top: window.scrollY / most }, "*");
  }

  window.addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    const { type, on, top } = (data ?? {}) as { type?: unknown; on?: unknown; top?: unknown };
    if (type === "plinth:follow") isFollowed = on === true;
    if (type !== "plinth:scroll-to" || typeof top !== "number") return;
    movedUntil = performance.now() + echoMs;
    window.scrollTo({ top: top * room(), behavior: "instant" });
  });
  window.addEventListener(
    "scroll",
    () => {
      if (isDue || !isFollowed) return;
      isDue = true;
      requestAnimationFrame(tell);
    },
    { passive: true },
  );
}
