// Audit events as sentences, with the words of every kind of event: few commands load them.
import { auditSentence } from "@plinth/contract/audit-sentences";
import type { AuditEvent } from "@plinth/contract/schemas/audit";

import { withoutControls, oneLine, type Style } from "../terminal/style.ts";
import { width } from "../terminal/width.ts";
import { relativeTime } from "./formatting.ts";

/** One line an event. Where they are not all of one artifact, each says of which. */
export function auditText(events: readonly AuditEvent[], { paint }: Style): string {
  if (events.length === 0) return "Nothing is recorded, or no longer: the plan says how long it is kept";
  const isOfOne = new Set(events.map(({ artifactId }) => artifactId)).size === 1;
  const rows = events.map((event) => {
    const name = isOfOne ? undefined : (event.artifactId ?? undefined);
    const said = auditSentence(event, name)
      .map(({ text, strong }) =>
        strong ? paint("bold", oneLine(text)) : withoutControls(text).replaceAll(/\s+/g, " "),
      )
      .join("");
    // What a program calls itself is no part of the sentence.
    const by = event.client === undefined ? "" : paint("dim", `  (${oneLine(event.client)})`);
    return { when: relativeTime(event.occurredAt), surface: event.surface, said: said + by };
  });
  const whens = Math.max(...rows.map(({ when }) => width(when)));
  const surfaces = Math.max(...rows.map(({ surface }) => surface.length));
  return rows
    .map(({ when, surface, said }) => `${paint("dim", `${when.padEnd(whens)}  ${surface.padEnd(surfaces)}`)}  ${said}`)
    .join("\n");
}
