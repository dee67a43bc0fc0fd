// Listens to a page by the browser's own protocol, where each thing said costs one event and nothing is kept, and stops
// listening when enough was said.
import { readFrameMessage } from "@plinth/contract/frame-messages";
import { pageReportLimits } from "@plinth/contract/limits";
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { BrowserContext, CDPSession, Page } from "playwright-core";

import type { Said } from "./messages.ts";
import { witness } from "./witness.ts";

/** The name of the world that `witness.ts` runs in. */
export const WORLD = "plinth-witness";
const TELL = "plinthTell";
/** Characters beyond are never sent on; a report keeps fewer still. */
const LONGEST = 2 * pageReportLimits.characters;

type Level = PageReport["console"][number]["level"];
const levels: Readonly<Record<string, Level>> = { info: "info", warning: "warning", error: "error", assert: "error" };

/** @param address of the document, whose own places alone mean something to its author */
export async function listenTo(context: BrowserContext, page: Page, address: string, say: (said: Said) => void) {
  const session = await context.newCDPSession(page);
  session.on("Runtime.bindingCalled", ({ payload }) => {
    const message = readFrameMessage(JSON.parse(payload));
    if (message?.type === "plinth:blocked")
      say({ of: "kept out", message: `Blocked by the policy (${message.directive}): ${message.address}` });
    if (message?.type === "plinth:error") {
      const { type: _, ...failure } = message;
      say({ of: "told", ...failure });
    }
  });
  let thrown = 0;
  session.on("Runtime.exceptionThrown", ({ exceptionDetails: { exception, text, url, lineNumber, columnNumber } }) => {
    if (thrown++ >= pageReportLimits.messages) return;
    // Cut first: what looks for its end takes the square of a text's length.
    const described = (exception?.description ?? (exception?.value === undefined ? "" : String(exception.value))).slice(
      0,
      LONGEST,
    );
    // With the stack below it; the first lines up to there are the message.
    const message = described === "" ? text.slice(0, LONGEST) : described.replace(/\n\s+at [\s\S]*$/, "");
    const place = url === address ? { line: lineNumber + 1, column: columnNumber + 1 } : {};
    say({ of: "thrown", message, ...place });
  });
  await session.send("Runtime.enable");
  await session.send("Page.enable");
  await session.send("Runtime.addBinding", { name: TELL, executionContextName: WORLD });
  await session.send("Page.addScriptToEvaluateOnNewDocument", {
    worldName: WORLD,
    source: `(${witness.toString()})(${JSON.stringify(TELL)})`,
  });
  await listenToConsole(await context.newCDPSession(page), say);
  return session;
}

async function listenToConsole(session: CDPSession, say: (said: Said) => void): Promise<void> {
  let lines = 0;
  session.on("Runtime.consoleAPICalled", ({ type, args }) => {
    if (lines++ >= pageReportLimits.messages) return;
    const text = args.slice(0, 10).map(({ value, unserializableValue, description, type }) => {
      if (typeof value === "string") return value.slice(0, LONGEST);
      return (unserializableValue ?? description ?? String(value ?? type)).slice(0, LONGEST);
    });
    say({ of: "console", level: levels[type] ?? "log", text: text.join(" ").slice(0, LONGEST) });
    // Not until the page ends: it may say it a million times. It may have ended first.
    if (lines === pageReportLimits.messages) void session.detach().catch(() => undefined);
  });
  await session.send("Runtime.enable");
}
