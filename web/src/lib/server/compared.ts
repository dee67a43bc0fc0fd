// What a history page shows of two versions: their texts compared, or where each can be looked at.
import { ProblemError, type Client } from "@plinth/contract/client";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { refusalOf, type Refusal } from "#lib/form-outcome.ts";
import { type Asked, fromOf } from "#lib/history/address.ts";
import { portionOf } from "#lib/history/rows.ts";
import { orErrorPage } from "./api.ts";

/** Of a comparison, what goes with the page itself: lines, and characters of text. */
const portion = { lines: 300, characters: 120_000 } as const;

export type Compared = Awaited<ReturnType<typeof comparedIn>>;

/** Refused in the API's words where one of the two is past its retention. */
export async function compared(client: Client, artifact: Artifact, asked: Asked): Promise<Compared | { problem: Refusal }> {
  try {
    return await comparedIn(client, artifact, asked);
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.code === "version_expired") return { problem: refusalOf(cause.problem) };
    return orErrorPage(Promise.reject(cause));
  }
}

async function comparedIn(client: Client, artifact: Artifact, asked: Asked) {
  const { to } = asked;
  const from = fromOf(asked);
  // The first version alone: there is nothing to compare it with.
  if (from === null) return null;
  if (asked.tab === "screenshot") return { from, to };
  if (asked.tab === "rendered") {
    const frames = await Promise.all([from, to].map((version) => client.call("artifact.ticket", { artifactId: artifact.artifactId, version })));
    return { from, to, frames: frames.map(({ url }) => url) };
  }
  const { stats, coarse, hunks } = await client.call("version.diff", { artifactId: artifact.artifactId, from, to });
  return { from, to, diff: { stats, isCoarse: coarse, portion: portionOf(hunks, portion.lines, portion.characters) } };
}
