// `search_artifacts` with `deleted`: what the caller may still undelete. Each line has the identifier, because a deletion frees the
// address.
import type { Output } from "@plinth/contract/registry";
import { undeleteDays } from "@plinth/contract/limits";

import type { Arguments } from "./arguments.ts";
import { perform, type Exchange } from "./exchange.ts";
import { listingText, partsOf } from "./item-lines.ts";
import { nothingFound } from "./nothing-found.ts";
import type { ToolAnswer } from "./result.ts";
import { foundLine } from "./summaries.ts";

/** Fields of a search that this list does not have. */
const others = ["q", "owner", "visibility"] as const;

export async function listDeleted(exchange: Exchange, { input, own, errors }: Arguments): Promise<ToolAnswer> {
  const given = Object.entries(input).filter(([name]) => !others.some((other) => other === name));
  const wrong = others
    .filter((name) => input[name] !== undefined)
    .map((path) => ({ path, message: "cannot be sent together with deleted" }));
  const sent = { input: { ...Object.fromEntries(given), deleted: true }, errors: [...errors, ...wrong] };
  const value = (await perform(exchange, "artifact.listMine", sent)).value as Output<"artifact.listMine">;
  if (own["detail"] === "detailed") return { summary: JSON.stringify(value) };
  const { artifacts: items, nextCursor } = value;
  const of = exchange.instance.config.publicUrl;
  const summary = listingText({
    ...{ of, noun: "deleted artifact", items, nextCursor },
    line: (artifact) => partsOf(artifact.artifactId, foundLine(artifact)),
  });
  if (items.length === 0) return { summary: summary + nothingFound(value, input) };
  return {
    summary: `${summary}\nundelete_artifact restores one by its id, within ${undeleteDays} days of its deletion.`,
  };
}
