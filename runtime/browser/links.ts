// Catches what the reader presses on links. The sandbox opens no tab, so each is handed over, and the page around the
// frame opens it. A document can undo this; then its links are dead.
import type { FrameMessage } from "@plinth/contract/frame-messages";

/** The parent as it is before a document's own script runs. */
const { parent } = window;

/** In the same turn as the press: engines pass on its user activation with the message. */
export const tellPage = (message: FrameMessage, ...ports: MessagePort[]): void =>
  parent.postMessage(message, "*", ports);

export type Link = HTMLAnchorElement | HTMLAreaElement | SVGAElement;

/** Calls `follow` for each link that is followed, unless the document prevents it. */
export function catchLinks(follow: (link: Link) => void): void {
  const pressed = (event: MouseEvent): void => {
    const link = event.composedPath().find(isLink);
    if (link && event.button < 2 && !staysInside(link)) atEndOf(event, () => follow(link));
  };
  window.addEventListener("click", pressed, true);
  window.addEventListener("auxclick", pressed, true);
}

/** As the author wrote it: to the page around the frame, relative URLs are relative to the artifact. */
export const addressOf = (link: Link): string => (writtenIn(link) ?? "").trim();

const writtenIn = (link: Element): string | null =>
  link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href");

export const isLink = (target: unknown): target is Link =>
  target instanceof Element && /^(a|area)$/.test(target.localName) && writtenIn(target) !== null;

/** Scripts, and places in the document, work in the frame; with a target the sandbox would have them open a tab. */
const staysInside = (link: Link): boolean =>
  /^javascript:/i.test(addressOf(link)) || (addressOf(link).startsWith("#") && !link.hasAttribute("target"));

/**
 * The URL of an address that leads to the document itself, with any query; null where it leads elsewhere. A relative path
 * does, because it is relative to the artifact.
 */
export function urlOfSelf(address: string): URL | null {
  if (!/^\s*(?:$|[?#/]|https?:)/i.test(address)) return null;
  const [url, own] = [URL.parse(address, location.href), new URL(location.href)];
  return url?.origin === own.origin && url.pathname === own.pathname ? url : null;
}

/**
 * Does it once every listener of the document has had the event, in the same turn, unless one prevented its default. Many
 * stop its propagation, which would keep it from a listener of ours.
 */
function atEndOf(event: Event, then: () => void): void {
  const keep = event.preventDefault.bind(event);
  let isPrevented = event.defaultPrevented;
  let isOurs = false;
  const take = (): void => {
    isPrevented ||= !isOurs && event.defaultPrevented;
    if (isOurs) return;
    isOurs = true;
    keep();
    queueMicrotask(() => {
      if (!isPrevented) then();
    });
  };
  Object.defineProperty(event, "preventDefault", {
    value() {
      isPrevented = true;
      keep();
    },
  });
  for (const name of ["stopPropagation", "stopImmediatePropagation"] as const) {
    const stop = event[name].bind(event);
    Object.defineProperty(event, name, {
      value() {
        take();
        stop();
      },
    });
  }
  window.addEventListener(event.type, take, { once: true });
}
