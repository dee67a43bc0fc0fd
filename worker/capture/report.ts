// Collects the messages of a page into the report of its version, within limits. Every text comes from the page.
import { pageReportLimits } from "@plinth/contract/limits";
import type { PageReport } from "@plinth/contract/schemas/artifact";

import type { PageMessage } from "./messages.ts";

type PageError = PageReport["errors"][number];

export interface ReportCollector {
  readonly add: (message: PageMessage) => void;
  report(): PageReport;
}

export function collectReport(): ReportCollector {
  const uncaught = new Map<string, PageError>();
  const runtime = new Map<string, PageError>();
  const blocked = new Map<string, PageError>();
  const lines: PageReport["console"] = [];
  return {
    add(added) {
      // Checked before the text is processed: a million more may follow.
      if (added.kind === "console") {
        if (lines.length < pageReportLimits.messages) lines.push({ level: added.level, text: plain(added.text) });
        return;
      }
      const into = { "uncaught error": uncaught, "runtime error": runtime, blocked }[added.kind];
      if (into.size >= pageReportLimits.messages) return;
      const message = plain(added.message);
      if (into.has(message)) return;
      if (added.kind === "blocked") into.set(message, { message });
      else if (added.kind === "uncaught error") into.set(message, { message, ...placeOf(added) });
      else {
        const where = added.component === undefined ? "" : ` (in ${plain(added.component)})`;
        into.set(message, { message: cut(message + where), ...placeOf(added) });
      }
    },
    report() {
      // The runtime reports most uncaught errors better; those that it omits have no position that the author knows.
      const rest = [...uncaught]
        .filter(([message]) => !runtime.has(message))
        .map(([message, error]) => (runtime.size > 0 ? { message } : error));
      const errors = [...runtime.values(), ...rest, ...blocked.values()].slice(0, pageReportLimits.messages);
      return { errors, console: [...lines] };
    },
  };
}

function placeOf({ line, column }: Pick<PageError, "line" | "column">): Pick<PageError, "line" | "column"> {
  return { ...(isPlace(line) ? { line } : {}), ...(isPlace(column) ? { column } : {}) };
}

const isPlace = (value: number | undefined): value is number => Number.isSafeInteger(value) && (value ?? 0) > 0;

// Control characters would act on a terminal, and bidi controls reorder text.
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

const plain = (text: string): string => cut(text.toWellFormed().replace(controls, " ").trim());

const cut = (text: string): string =>
  text.length <= pageReportLimits.characters ? text : [...text].slice(0, pageReportLimits.characters).join("");
