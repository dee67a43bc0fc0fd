// Gathers the messages of a page into the report of its version, within limits. Every text comes from the page.
import { pageReportLimits } from "@plinth/contract/limits";
import type { PageReport } from "@plinth/contract/schemas/artifact";

import type { Said } from "./messages.ts";

type PageError = PageReport["errors"][number];

export interface GatheredReport {
  readonly hear: (said: Said) => void;
  report(): PageReport;
}

export function gatherReport(): GatheredReport {
  const thrown = new Map<string, PageError>();
  const told = new Map<string, PageError>();
  const keptOut = new Map<string, PageError>();
  const lines: PageReport["console"] = [];
  return {
    hear(said) {
      // Checked before the text is processed: a million more may follow.
      if (said.of === "console") {
        if (lines.length < pageReportLimits.messages) lines.push({ level: said.level, text: plain(said.text) });
        return;
      }
      const into = { thrown, told, "kept out": keptOut }[said.of];
      if (into.size >= pageReportLimits.messages) return;
      const message = plain(said.message);
      if (into.has(message)) return;
      if (said.of === "kept out") into.set(message, { message });
      else if (said.of === "thrown") into.set(message, { message, ...placeOf(said) });
      else {
        const where = said.component === undefined ? "" : ` (in ${plain(said.component)})`;
        into.set(message, { message: cut(message + where), ...placeOf(said) });
      }
    },
    report() {
      // The runtime reports most uncaught errors better; those that it omits have no position that the author knows.
      const rest = [...thrown]
        .filter(([message]) => !told.has(message))
        .map(([message, error]) => (told.size > 0 ? { message } : error));
      const errors = [...told.values(), ...rest, ...keptOut.values()].slice(0, pageReportLimits.messages);
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
