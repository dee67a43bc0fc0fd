// Listens to a page through the browser's own protocol, where each message costs one event and nothing is stored. It
// stops listening after enough messages.
import { readFrameMessage } from "@plinth/contract/frame-messages";
import { pageReportLimits } from "@plinth/contract/limits";
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { BrowserContext, CDPSession, Page } from "playwright-core";

import type { PageMessage } from "./messages.ts";
import { observePage } from "./page-observer.ts";

/** The isolated context in which `page-observer.ts` runs. */
export const ISOLATED_CONTEXT = "plinth-observer";
const REPORT_FUNCTION = "plinthReport";
/** Further characters are not sent on; a report keeps even fewer. */
const LONGEST = 2 * pageReportLimits.characters;

type Level = PageReport["console"][number]["level"];
const levels: Readonly<Record<string, Level>> = { info: "info", warning: "warning", error: "error", assert: "error" };

/** @param documentUrl the document's URL: only positions in the document mean something to its author */
export async function listenToPage(
  context: BrowserContext,
  page: Page,
  documentUrl: string,
  emit: (message: PageMessage) => void,
) {
  const session = await context.newCDPSession(page);
  session.on("Runtime.bindingCalled", ({ payload }) => {
    const message = readFrameMessage(JSON.parse(payload));
    if (message?.type === "plinth:blocked")
      emit({ kind: "blocked", message: `Blocked by the policy (${message.directive}): ${message.address}` });
    if (message?.type === "plinth:error") {
      const { type: _, ...failure } = message;
      emit({ kind: "runtime error", ...failure });
    }
  });
  let thrown = 0;
  session.on("Runtime.exceptionThrown", ({ exceptionDetails: { exception, text, url, lineNumber, columnNumber } }) => {
    if (thrown++ >= pageReportLimits.messages) return;
    // Cut first: the search for the end takes quadratic time in the length of the text.
    const described = (exception?.description ?? (exception?.value === undefined ? "" : String(exception.value))).slice(
      0,
      LONGEST,
    );
    // The description contains the stack; the first lines up to the stack are the message.
    const message = described === "" ? text.slice(0, LONGEST) : described.replace(/\n\s+at [\s\S]*$/, "");
    const place = url === documentUrl ? { line: lineNumber + 1, column: columnNumber + 1 } : {};
    emit({ kind: "uncaught error", message, ...place });
  });
  await session.send("Runtime.enable");
  await session.send("Page.enable");
  await session.send("Runtime.addBinding", { name: REPORT_FUNCTION, executionContextName: ISOLATED_CONTEXT });
  await session.send("Page.addScriptToEvaluateOnNewDocument", {
    worldName: ISOLATED_CONTEXT,
    source: `(${observePage.toString()})(${JSON.stringify(REPORT_FUNCTION)})`,
  });
  await listenToConsole(await context.newCDPSession(page), emit);
  return session;
}

async function listenToConsole(session: CDPSession, emit: (message: PageMessage) => void): Promise<void> {
  let lines = 0;
  session.on("Runtime.consoleAPICalled", ({ type, args }) => {
    if (lines++ >= pageReportLimits.messages) return;
    const text = args.slice(0, 10).map(({ value, unserializableValue, description, type }) => {
      if (typeof value === "string") return value.slice(0, LONGEST);
      return (unserializableValue ?? description ?? String(value ?? type)).slice(0, LONGEST);
    });
    emit({ kind: "console", level: levels[type] ?? "log", text: text.join(" ").slice(0, LONGEST) });
    // Stops before the page ends, which may send a million more messages. The session may have ended first.
    if (lines === pageReportLimits.messages) void session.detach().catch(() => undefined);
  });
  await session.send("Runtime.enable");
}
