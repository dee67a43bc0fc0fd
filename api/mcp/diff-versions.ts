// `diff_artifact_versions`: the changes as hunks and as a unified diff, cut where it is too long for a model.
import type { Diff } from "@plinth/contract/schemas/artifact";
import type { WrittenDiff } from "@plinth/domain/diff/written-diff";

import type { Arguments } from "./arguments.ts";
import { perform, type Exchange } from "./exchange.ts";
import { placeOf } from "./place.ts";
import { pageCharacters } from "./read-content.ts";
import type { ToolAnswer } from "./result.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export async function compare(exchange: Exchange, given: Arguments): Promise<ToolAnswer> {
  const answer = await perform(exchange, "version.diff", given);
  const { json, unified } = answer.value as WrittenDiff;
  const diff = JSON.parse(decoder.decode(json)) as Diff;
  const { url } = placeOf(exchange, answer);
  const { additions, deletions } = diff.stats;
  const { hunks, leftOut } = firstHunks(diff.hunks);
  const more = leftOut === 0 ? "" : ` ${leftOut} of its changes are left out here: read both versions' text for them.`;
  return {
    summary: `${url}: ${additions} ${additions === 1 ? "line" : "lines"} added and ${deletions} removed between versions ${diff.from} and ${diff.to}.${more}`,
    text: firstLines(decoder.decode(unified)),
    value: { ...diff, hunks, ...(leftOut > 0 && { leftOut }) },
  };
}

/** Whole hunks, as many as a page holds. */
function firstHunks(hunks: Diff["hunks"]): { hunks: Diff["hunks"]; leftOut: number } {
  let characters = 0;
  const fitting = hunks.findIndex(({ lines }) => {
    characters += lines.reduce((sum, { text }) => sum + text.length, 0);
    return characters > pageCharacters;
  });
  return fitting < 0 ? { hunks, leftOut: 0 } : { hunks: hunks.slice(0, fitting), leftOut: hunks.length - fitting };
}

function firstLines(text: string): string {
  if (text.length <= pageCharacters) return text;
  return text.slice(0, text.lastIndexOf("\n", pageCharacters) + 1);
}
