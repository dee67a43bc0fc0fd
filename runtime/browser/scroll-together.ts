// A document that is read beside another: tells the page around it where one reads, once that asked, and goes where the
// page says. By proportion, since the two are of different lengths.

/** For so long after it was moved, that it moves is no news. */
const echoMs = 150;

const { parent } = window;
let isFollowed = false;
let movedUntil = 0;
let isDue = false;

/** Whether the page around it is told from now on. It is told where one reads by now, unless it says where that is to be. */
export function follow(on: boolean, top?: unknown): void {
  isFollowed = on;
  // What draws itself has its height a frame later.
  if (typeof top === "number") requestAnimationFrame(() => requestAnimationFrame(() => goTo(top)));
  else tell();
}

function goTo(top: number): void {
  movedUntil = performance.now() + echoMs;
  window.scrollTo({ top: top * room(), behavior: "instant" });
}

function room(): number {
  const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
  return Math.max(0, scrollHeight - clientHeight);
}

function tell(): void {
  isDue = false;
  const most = room();
  if (isFollowed && most > 0 && performance.now() >= movedUntil)
    parent.postMessage({ type: "plinth:scroll", top: window.scrollY / most }, "*");
}

window.addEventListener("message", ({ source, data }) => {
  const { type, top } = (data ?? {}) as { type?: unknown; top?: unknown };
  if (source === parent && type === "plinth:scroll-to" && typeof top === "number") goTo(top);
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
