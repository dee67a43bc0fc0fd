// Answers what the example on the landing page asks for; src/plain loads it with the first request and hands each on.
import { readFrameMessage } from "@plinth/contract/frame-messages";

import { frameRequests, isRequest } from "#lib/frame-requests/requests.ts";

const requests = frameRequests();
const frame = document.querySelector<HTMLIFrameElement>("iframe[data-requests]");

window.addEventListener("plinth:request", (event) => {
  const said = event instanceof CustomEvent ? (event.detail as unknown) : null;
  if (!(said instanceof MessageEvent) || frame === null || said.source !== frame.contentWindow) return;
  const message = readFrameMessage(said.data);
  if (isRequest(message)) requests.ask(message, said.ports[0], { frame, type: "html", path: location.pathname });
});
