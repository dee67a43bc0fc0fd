// The requests of a document to the page around its frame: to open a link, to save a file, to copy a text. The reader
// decides on a card of the page (FrameRequest.svelte), which shows all of it: a URL may carry text that was typed into
// the document.
import type { FramedType } from "@plinth/contract/frame";
import type { FrameMessage } from "@plinth/contract/frame-messages";
import { requestsTexts } from "#messages/requests.ts";
import { fileSize } from "#lib/file-size.ts";
import { part, show } from "#lib/parts.ts";
import { fileName, isDocumentHere, linkOf } from "./request-rules.ts";

export type Request = Extract<FrameMessage, { type: "plinth:open" | "plinth:save" | "plinth:copy" }>;

export const isRequest = (message: FrameMessage | null): message is Request =>
  message?.type === "plinth:open" || message?.type === "plinth:save" || message?.type === "plinth:copy";

/** The frame that a request came from. */
export interface Asker {
  readonly frame: HTMLIFrameElement;
  /** Whose rules hold in it. */
  readonly type: FramedType;
  /** The path of the artifact in it, which its links are relative to. */
  readonly path: string;
  /** The page holds what is not saved, so it stays: other documents are opened beside it. */
  readonly stays?: boolean;
}

/** The card can be answered only then: a document may time it to appear under a press that was meant for itself. */
const armingMs = 600;
/** The press on "Cancel" counts as activation of the page for so long; a document could ask again and again by it. */
const quietMs = 5000;
const saidMs = 1800;
const previewMax = 500;

interface Card {
  readonly title: string;
  readonly text: string;
  readonly note: string;
  /** Opened by the browser as a link is. */
  readonly url?: string;
  readonly accept: { readonly label: string; readonly act?: () => void };
  readonly refused?: () => void;
}

/** Answers by the one card of the page, which is there by now. */
export function frameRequests() {
  const texts = requestsTexts();
  const ending = new AbortController();
  const { signal } = ending;
  let card: Card | undefined;
  let quietUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const link = part("request-link") as HTMLAnchorElement | null;
  const accept = part("request-accept") as HTMLButtonElement | null;

  function close(): void {
    clearTimeout(timer);
    card = undefined;
    link?.removeAttribute("href");
    show(part("request"), false);
  }

  function refuse(): void {
    card?.refused?.();
    quietUntil = performance.now() + quietMs;
    close();
  }

  function fill({ title, text, note }: Pick<Card, "title" | "text" | "note">): void {
    for (const [name, words] of Object.entries({ title, text, note })) {
      const element = part(`request-${name}`);
      if (element) element.textContent = words;
      show(element, words !== "");
    }
    show(part("request"));
  }

  function ask(next: Card): void {
    card = next;
    clearTimeout(timer);
    fill(next);
    const { url } = next;
    show(part("request-answers"));
    show(link, url !== undefined);
    show(accept, url === undefined);
    const chosen = url === undefined ? accept : link;
    if (chosen) chosen.textContent = next.accept.label;
    if (accept) accept.disabled = true;
    link?.removeAttribute("href");
    timer = setTimeout(() => {
      if (url !== undefined && link) link.href = url;
      if (accept) accept.disabled = false;
    }, armingMs);
  }

  /** For a moment, without a question. */
  function say(title: string): void {
    close();
    fill({ title, text: "", note: "" });
    show(part("request-answers"), false);
    timer = setTimeout(close, saidMs);
  }

  const on = (target: EventTarget | null, type: string, listener: (event: Event) => void) =>
    target?.addEventListener(type, listener, { signal });
  on(link, "click", () => {
    // After the browser has followed it.
    if (link?.href !== "") setTimeout(close);
  });
  on(accept, "click", () => {
    const { act } = card?.accept ?? {};
    close();
    act?.();
  });
  on(part("request-cancel"), "click", refuse);
  on(window, "keydown", (event) => {
    if ((event as KeyboardEvent).key === "Escape" && card) refuse();
  });

  function open(url: URL, isPressedThere: boolean, { frame, type, stays }: Asker): void {
    const isHere = isDocumentHere(url, location.origin);
    if (isPressedThere) {
      if (url.href.startsWith(`${frame.src.split("/_content/")[0]}/_content/`)) return download(url.href);
      if (isHere && !stays) return location.assign(url.href);
      // Only our own script runs in markdown, so the URL is the one that the author wrote.
      if (isHere || type === "md") return void window.open(url.href, "_blank", "noreferrer");
    }
    const isMail = url.protocol === "mailto:";
    ask({
      title: isMail ? texts.writeEmail : texts.open({ host: url.host }),
      text: url.href,
      note: texts.urlNote,
      url: url.href,
      accept: { label: isMail ? texts.write : texts.openIt },
    });
  }

  function save(name: string, content: Blob): void {
    ask({
      title: texts.save({ name, size: fileSize(content.size) }),
      text: "",
      note: texts.fileNote,
      accept: { label: texts.saveIt, act: () => download(fileUrl(content), name) },
    });
  }

  async function copy(text: string, isPressedThere: boolean, answer: (copied: boolean) => void): Promise<void> {
    const write = async () => {
      await navigator.clipboard.writeText(text);
      say(texts.copied({ count: text.length }));
      answer(true);
    };
    try {
      if (isPressedThere) return await write();
    } catch {
      // An engine that wants the press in this page itself.
    }
    ask({
      title: texts.copy({ count: text.length }),
      text: text.length > previewMax ? `${text.slice(0, previewMax)}…` : text,
      note: "",
      accept: {
        label: texts.copyIt,
        act: () =>
          void write().catch(() => {
            say(texts.couldNotCopy);
            answer(false);
          }),
      },
      refused: () => answer(false),
    });
  }

  return {
    ask: (request: Request, port: MessagePort | undefined, asker: Asker): void => {
      const answer = (copied: boolean) => port?.postMessage(copied);
      // A press in a frame activates the pages around it.
      if (card || performance.now() < quietUntil || !navigator.userActivation?.isActive) return answer(false);
      const isPressedThere = document.activeElement === asker.frame;
      if (request.type === "plinth:save") save(fileName(request.name), request.content);
      else if (request.type === "plinth:copy") void copy(request.text, isPressedThere, answer);
      else {
        const url = linkOf(request.url, location.origin + asker.path);
        if (url) open(url, isPressedThere, asker);
      }
    },
    clear: close,
    end(): void {
      close();
      ending.abort();
    },
  };
}

/** Of no type that a browser shows: it would be a page of this origin. */
const fileUrl = (content: Blob): string =>
  URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));

/** A file of the document's own, or one beside it, which the server sends to be saved. */
function download(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
