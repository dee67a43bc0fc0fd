// A misled reader: presses a document's links and buttons with a real pointer. Knows no payload.
import type { Frame, Page } from "playwright-core";

const offered = "[data-click], main a, main button, main summary, main [onclick], main .clickable";
/** In each frame. */
const mostPresses = 4;
/** An element that moves or is covered is skipped after this many ms. */
const pressMs = 1_000;

/** Presses the first few elements in each of the frames; returns the number of presses. */
export async function press(page: Page, frames: readonly Frame[] = page.frames()): Promise<number> {
  let pressed = 0;
  for (const frame of frames) {
    if (frame.isDetached()) continue;
    const targets = frame.locator(offered);
    const count = await unlessGone(targets.count(), 0);
    for (let at = 0; at < Math.min(count, mostPresses); at++)
      if (
        await unlessGone(
          targets
            .nth(at)
            .click({ timeout: pressMs, noWaitAfter: true })
            .then(() => true),
          false,
        )
      )
        pressed++;
  }
  return pressed;
}

/** A document can remove an element before it is pressed, or itself; then there is nothing to press. */
function unlessGone<Result>(promise: Promise<Result>, otherwise: Result): Promise<Result> {
  return promise.catch((error: unknown) => {
    if (error instanceof Error && /Timeout|detached|closed|destroyed|not attached|crashed/i.test(error.message))
      return otherwise;
    throw error;
  });
}
