// The preview: each draft is posted into a new sandboxed frame, which takes the place of the one before once it has
// loaded, so that nothing flashes. Messages of the frames are untrusted, and read as untrusted.
import { frameSandbox, type FramedType } from "@plinth/contract/frame";
import { readFrameMessage, type FrameMessage } from "@plinth/contract/frame-messages";

import { onceLeft } from "#lib/frame-life.ts";
import { frameRequests, isRequest, type Request } from "#lib/frame-requests/requests.ts";

/** The fields of the form; `content` among them. */
export type DraftFields = Readonly<Record<string, string>>;

interface DraftFramesOptions {
  /** What the frame is called. */
  readonly title: string;
  /** Where the draft will be, or may be: its links are relative to it. */
  readonly path: () => string;
  /** Where a draft is posted to, good for a while; null where it can't be said. */
  readonly address: (again: boolean) => Promise<string | null>;
  /** Called with the draft that is shown, or about to be. */
  readonly told: (message: FrameMessage) => void;
  /** A draft begins to be shown; what was told of the one before is over. */
  readonly begins: () => void;
  /** Nothing can be shown. */
  readonly failed: () => void;
}

export interface DraftFrames {
  show(type: FramedType, fields: DraftFields): void;
  end(): void;
}

/** A draft that loads itself again is shown again at most so often. In ms. */
const againMs = 5000;
/** A document that never finishes loading is shown as far as it came. In ms. */
const timeoutMs = 6000;
const stacked = "absolute inset-0 size-full border-0";

/** `holder` is what the frames fill; what they ask for is answered by the card of the page (FrameRequest.svelte). */
export function draftFrames(holder: HTMLElement, options: DraftFramesOptions): DraftFrames {
  let shown: HTMLIFrameElement | undefined;
  let coming: HTMLIFrameElement | undefined;
  let waiting: [FramedType, DraftFields] | undefined;
  let current: [FramedType, DraftFields] | undefined;
  const types = new WeakMap<HTMLIFrameElement, FramedType>();
  let timeout: ReturnType<typeof setTimeout> | undefined;
  /** How far down one reads, of 1. */
  let place = 0;
  let busy = false;
  let renewed = false;
  let ended = false;
  let againAt = -Infinity;
  const requests = frameRequests();

  function onMessage({ source, data, ports }: MessageEvent): void {
    if (source === null || (source !== shown?.contentWindow && source !== coming?.contentWindow)) return;
    const message = readFrameMessage(data);
    const frame = source === shown?.contentWindow ? shown : coming;
    if (message?.type === "plinth:started") onceLeft(ports[0], () => left(frame));
    else if (message?.type === "plinth:expired") void renew();
    else if (message?.type === "plinth:scroll") place = source === shown?.contentWindow ? message.top : place;
    else if (isRequest(message)) {
      // Only by the one that is seen.
      if (shown !== undefined && source === shown.contentWindow) asked(message, ports[0], shown);
    } else if (message !== null) options.told(message);
  }
  window.addEventListener("message", onMessage);

  /** The page holds what is not saved, so it stays. */
  function asked(request: Request, port: MessagePort | undefined, frame: HTMLIFrameElement): void {
    const type = types.get(frame);
    if (type !== undefined) requests.ask(request, port, { frame, type, path: options.path(), stays: true });
  }

  /** A draft has no address to be loaded again from, so the frame has none any more. */
  function left(frame: HTMLIFrameElement | undefined): void {
    if (frame === undefined || (frame !== shown && frame !== coming) || current === undefined || ended) return;
    const isOften = performance.now() - againAt < againMs;
    if (!isOften) {
      againAt = performance.now();
      return show(...current);
    }
    clearTimeout(timeout);
    frame.remove();
    if (frame === shown) shown = undefined;
    else [coming, busy] = [undefined, false];
    options.failed();
  }

  /** Once for a draft: a document may say that it has expired as often as it likes. */
  async function renew(): Promise<void> {
    if (renewed || current === undefined) return;
    renewed = true;
    await post(...current, true);
  }

  async function post(type: FramedType, fields: DraftFields, again: boolean): Promise<void> {
    busy = true;
    current = [type, fields];
    const address = await options.address(again);
    if (ended) return;
    if (address === null) {
      busy = false;
      options.failed();
      return;
    }
    options.begins();
    coming?.remove();
    coming = frameOf(type, options.title);
    types.set(coming, type);
    holder.append(coming);
    // Its first, empty document has loaded by now; the next one that does is the draft.
    coming.addEventListener("load", settle, { once: true });
    timeout = setTimeout(settle, timeoutMs);
    submit(address, coming.name, fields);
  }

  function settle(): void {
    clearTimeout(timeout);
    if (coming === undefined || ended) return;
    requests.clear();
    shown?.remove();
    shown = coming;
    coming = undefined;
    shown.classList.remove("invisible");
    shown.removeAttribute("aria-hidden");
    // One goes on reading where one was.
    shown.contentWindow?.postMessage({ type: "plinth:follow", on: true, ...(place > 0 && { top: place }) }, "*");
    busy = false;
    if (waiting === undefined) return;
    const next = waiting;
    waiting = undefined;
    renewed = false;
    void post(...next, false);
  }

  function show(type: FramedType, fields: DraftFields): void {
    if (busy) {
      waiting = [type, fields];
      return;
    }
    renewed = false;
    void post(type, fields, false);
  }

  return {
    show,
    end() {
      ended = true;
      clearTimeout(timeout);
      window.removeEventListener("message", onMessage);
      requests.end();
      shown?.remove();
      coming?.remove();
    },
  };
}

/** No document can guess it, and so take the next draft by giving its window this name. */
const unguessed = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");

/** A new element each time: another document in the same one would be an entry in the visitor's history. */
function frameOf(type: FramedType, title: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.name = `draft-${unguessed()}`;
  frame.title = title;
  frame.className = `${stacked} invisible ${type === "md" ? "" : "document-ground"}`;
  frame.setAttribute("aria-hidden", "true");
  frame.setAttribute("sandbox", frameSandbox(type));
  frame.setAttribute("allow", "");
  frame.setAttribute("referrerpolicy", "no-referrer");
  return frame;
}

function submit(address: string, target: string, fields: DraftFields): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = address;
  form.target = target;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
