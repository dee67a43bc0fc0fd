// The frame and what it says. Its document is hostile: its posts are one of a few messages, read as text.
import { type FrameMessage, readFrameMessage } from "@plinth/contract/frame-messages";
import { framedAs, viewAddress } from "@plinth/contract/frame";
import { part, show } from "#lib/parts.ts";
import { frameLife } from "#lib/frame-life.ts";
import { isRequest, type Request } from "#lib/frame-requests/requests.ts";
import { pageState } from "./page-state.ts";

type Said<Type extends FrameMessage["type"]> = Extract<FrameMessage, { type: Type }>;

interface FrameWatcher {
  blocked: (directive: string, address: string) => void;
  failed: (error: Said<"plinth:error">) => void;
  /** Whether the document shows nothing, because something of it was blocked or failed. */
  blank: (isBlank: boolean) => void;
  /** The document asks for what its sandbox refuses. */
  asked: (request: Request, port: MessagePort | undefined) => void;
  /** Another document is in it now. */
  replaced: () => void;
  /** There is no address for it any more. */
  lost: () => void;
}

export interface FrameHost {
  /** The one of now. */
  element: () => HTMLIFrameElement;
}

/** A document that claims to have expired over and over gets a new address at most so often. */
const renewalMs = 5000;

/** More than so many are not kept until the page listens. */
const earlyMax = 200;

/** Keeps what a frame says before the page can answer; returns who takes it over, with what comes from then on. */
export function listenEarly() {
  const kept: Event[] = [];
  let onMessage = (event: Event): void => void (kept.length < earlyMax && kept.push(event));
  window.addEventListener("message", (event) => onMessage(event));
  // The page's own policy is what keeps a document in its frame; the browser shows an error there instead.
  document.addEventListener("securitypolicyviolation", (event) => onMessage(event));
  return (listener: typeof onMessage) => {
    onMessage = listener;
    kept.forEach(listener);
  };
}

export function hostFrame(listenAll: ReturnType<typeof listenEarly>, watcher: FrameWatcher): FrameHost {
  let frame = part("frame") as HTMLIFrameElement;
  let renewedAt = -Infinity;

  // The page's own fragment names a part of the document: a heading, or a line of the source.
  function leadToFragment(): void {
    const address = new URL(frame.src);
    if (location.hash === address.hash || location.hash === "") return;
    address.hash = location.hash;
    // Within the document that is there, so nothing is loaded again, and Back still leads out of the page.
    frame.contentWindow?.location.replace(address.href);
  }

  // A new element for a new address: changing src would add an entry to the visitor's history.
  function load(address: string): void {
    const next = frame.cloneNode() as HTMLIFrameElement;
    next.src = address;
    next.addEventListener("load", () => life.loaded(), { once: true });
    frame.replaceWith(next);
    frame = next;
    life.forget();
    isShown();
  }

  /**
   * A deck or a game gets keys before the first press, where nothing else of the page has the focus. Text is read from the bar
   * on: there Tab begins at the top of the page.
   */
  function giveFocus(): void {
    const isText = framedAs(pageState.type, pageState.view) === "md";
    if (!isText && document.activeElement === document.body && document.hasFocus())
      frame.focus({ preventScroll: true });
  }

  function isShown(): void {
    show(frame);
    show(part("left"), false);
    watcher.replaced();
  }

  /** In place of the frame, and with the way back. */
  function leave(why: "blocked" | "lost"): void {
    life.forget();
    show(frame, false);
    show(part("left-blocked"), why === "blocked");
    show(part("left-lost"), why === "lost");
    show(part("left"));
  }
  const life = frameLife(() => leave("lost"));

  async function renew(query: string): Promise<void> {
    if (performance.now() - renewedAt < renewalMs) return life.loaded();
    renewedAt = performance.now();
    const { artifactId, version, view } = pageState;
    const answer = await fetch(`/api/artifacts/${artifactId}/ticket?version=${version}`).catch(() => undefined);
    if (answer?.status === 404) {
      // The page itself says best why a version is not there any more.
      const { code } = (await answer.json()) as { code?: string };
      return code === "not_found" ? watcher.lost() : location.reload();
    }
    if (answer?.ok) {
      const address = new URL(viewAddress(((await answer.json()) as { url: string }).url, view), location.href);
      address.search = query;
      return load(address.href);
    }
    frame.remove();
    show(part("failed"));
  }

  frame.addEventListener("load", leadToFragment, { once: true });
  window.addEventListener("hashchange", leadToFragment);
  part("failed")
    ?.querySelector("button")
    ?.addEventListener("click", () => location.reload());
  part("left")
    ?.querySelector("button")
    ?.addEventListener("click", () => load(frame.src));

  function onMessage(message: FrameMessage | null, port: MessagePort | undefined): void {
    if (message?.type === "plinth:started") {
      life.started(port);
      isShown();
      giveFocus();
    } else if (message?.type === "plinth:expired") {
      life.forget();
      void renew(message.query);
    } else if (message?.type === "plinth:blocked") watcher.blocked(message.directive, message.address);
    else if (message?.type === "plinth:error") watcher.failed(message);
    else if (message?.type === "plinth:blank") watcher.blank(message.isBlank);
    else if (message?.type === "plinth:height") {
      document.documentElement.style.setProperty("--whole-height", `${message.height}px`);
    } else if (isRequest(message)) watcher.asked(message, port);
  }
  listenAll((event) => {
    if (event instanceof SecurityPolicyViolationEvent) {
      if (event.effectiveDirective !== "frame-src") return;
      // The browser shows an error page in place of the document.
      watcher.blocked("navigation", event.blockedURI);
      leave("blocked");
    } else if (event instanceof MessageEvent && event.source !== null && event.source === frame.contentWindow) {
      onMessage(readFrameMessage(event.data), event.ports[0]);
    }
  });

  return { element: () => frame };
}
