// The script of the artifact page: what changes during reading. The page is whole without it.
import { watchArtifact } from "#lib/watch-artifact.ts";
import { answerCopying } from "./copy.ts";
import { end } from "./end.ts";
import { listenEarly, hostFrame } from "./frame.ts";
import { tellLatest } from "./latest.ts";
import { closeMenus } from "#lib/close-menus.ts";
import { framedAs } from "@plinth/contract/frame";
import { frameRequests } from "#lib/frame-requests/requests.ts";
import { noticesOf } from "./notices.ts";
import { part } from "#lib/parts.ts";
import { answerPrinting } from "./print.ts";
import { shown } from "./shown.ts";
import { fillVersions } from "./versions.ts";

const early = listenEarly();
// It runs ahead of the frame, so most of the page is still to come.
document.addEventListener("DOMContentLoaded", start, { once: true });

function start(): void {
  const stop = watchArtifact(shown.artifactId, {
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
      const type = framedAs(shown.type, shown.view);
      requests.ask(request, port, { frame: frame.element(), type, path: shown.base });
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
