// Tells the page around the frame that a document has begun, and later that it is left: where no other begins then, the
// frame shows an error page of the browser.
import { tellPage } from "./links.ts";

export function tellStarted(): void {
  // A window that is being left is no source that the page could compare with its frame; the port needs none.
  const { port1, port2 } = new MessageChannel();
  tellPage({ type: "plinth:started" }, port2);
  window.addEventListener("pagehide", ({ persisted }) => {
    // Kept by the browser with the page around it, and shown again with it.
    if (!persisted) port1.postMessage("left");
  });
}
