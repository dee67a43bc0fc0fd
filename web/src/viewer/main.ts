// The script of the artifact page: what changes during reading. The page is whole without it.
import { type Ending, watchArtifact } from "#lib/watch-artifact.ts";
import { answerCopying } from "./copy.ts";
import { type FrameHost, hostFrame, listenEarly } from "./frame.ts";
import { closeMenus } from "#lib/close-menus.ts";
import { framedAs } from "@plinth/contract/frame";
import { frameRequests } from "#lib/frame-requests/requests.ts";
import { noticesOf } from "./notices.ts";
import { copyOf, part, show } from "#lib/parts.ts";
import { endings } from "#lib/endings.ts";
import { siteName } from "#lib/shown-site.ts";
import { viewerTexts } from "#messages/viewer.ts";
import { readFrameMessage } from "@plinth/contract/frame-messages";
import { pageState } from "./page-state.ts";
import { fillVersions } from "./versions.ts";

// Printing an artifact. A document of html or jsx prints itself; markdown and source may open no dialog in their
// sandbox, so there the page prints, with the frame as wide as paper and as high as the document is on it.

/** What A4 and Letter have between the margins of app.css, in CSS pixels. */
const paperWidth = 656;
/** A frame that doesn't answer is printed as high as it last said. */
const answerMs = 2000;

/** Prints on the button and on the browser's own key; where the browser's menu prints, the height on screen is used. */
function answerPrinting(frame: FrameHost): void {
  const isReading = framedAs(pageState.type, pageState.view) === "md";
  document.documentElement.style.setProperty("--paper-width", `${paperWidth}px`);
  const print = () => (isReading ? void printPage(frame) : tell(frame, "plinth:print"));
  part("print")?.addEventListener("click", print);
  window.addEventListener("keydown", (event) => {
    if (event.key !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    print();
  });
}

/** To any origin: a sandboxed document has none that could be named. */
function tell(frame: FrameHost, type: string, port?: MessagePort): void {
  const message = { type, width: paperWidth };
  frame.element().contentWindow?.postMessage(message, "*", port === undefined ? [] : [port]);
}

async function printPage(frame: FrameHost): Promise<void> {
  const { style } = frame.element();
  Object.assign(style, { width: `${paperWidth}px`, visibility: "hidden" });
  const height = await heightOnPaper(frame);
  if (height !== undefined) style.height = `${height}px`;
  style.visibility = "";
  const restore = () => {
    Object.assign(style, { width: "", height: "" });
    tell(frame, "plinth:printed");
  };
  window.addEventListener("afterprint", restore, { once: true });
  window.print();
}

function heightOnPaper(frame: FrameHost): Promise<number | undefined> {
  const { port1: answer, port2: theirs } = new MessageChannel();
  return new Promise((resolve) => {
    answer.addEventListener("message", ({ data }) => {
      const message = readFrameMessage(data);
      resolve(message?.type === "plinth:height" ? message.height : undefined);
      answer.close();
    });
    answer.start();
    tell(frame, "plinth:print", theirs);
    setTimeout(resolve, answerMs, undefined);
  });
}

/** The number of the latest version, whenever it is known; it never goes back. */
function tellLatest(version: number): void {
  const text = viewerTexts();
  const latest = Math.max(pageState.latest, version);
  part("versions")
    ?.querySelector("summary")
    ?.setAttribute("aria-label", text.versionOf({ version: pageState.version, latest }));
  const old = part("old");
  if (old) old.textContent = text.readingOld({ version: pageState.version, latest });
  const pill = part("pill");
  // An old version has said already that it is one.
  if (!pill || latest === pageState.version || pageState.version < pageState.latest) return;
  const words = text.newVersion({ version: latest });
  if (pill.textContent !== words) pill.textContent = words;
  show(pill);
}

/** Leaves nothing but the word about it. */
function end(how: Ending): void {
  const said = copyOf("ended");
  for (const other of said.querySelectorAll<HTMLElement>("[data-ending]")) {
    if (other.dataset["ending"] !== how) other.remove();
  }
  said.querySelector("button")?.addEventListener("click", () => location.reload());
  document.body.replaceChildren(said);
  for (const told of document.head.querySelectorAll(
    "meta[property], meta[name=description], link[rel=canonical], link[rel=alternate]",
  )) {
    told.remove();
  }
  document.title = `${endings()[how].title} · ${siteName()}`;
}

const early = listenEarly();
// It runs ahead of the frame, so most of the page is still to come.
document.addEventListener("DOMContentLoaded", start, { once: true });

function start(): void {
  const stop = watchArtifact(pageState.artifactId, {
    latest: tellLatest,
    live: (isLive) => part("live")?.classList.toggle("invisible", !isLive),
    ended: end,
  });
  const notices = noticesOf();
  const requests = frameRequests();
  const frame = hostFrame(early, {
    blocked: notices.blocked,
    failed: notices.failed,
    blank: notices.blank,
    asked(request, port) {
      const type = framedAs(pageState.type, pageState.view);
      requests.ask(request, port, { frame: frame.element(), type, path: pageState.base });
    },
    replaced() {
      notices.clear();
      requests.clear();
    },
    lost() {
      stop();
      end("lost");
    },
  });
  answerPrinting(frame);
  fillVersions();
  answerCopying();
  closeMenus();
}
