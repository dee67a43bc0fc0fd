// The data of two versions on a history page: the comparison of their texts, or the link to each version.
import { ProblemError, type Client } from "@plinth/contract/client";
import type { Diff } from "@plinth/contract/schemas/artifact";
import { refusalOf, type Refusal } from "#lib/form-outcome.ts";
import { type Asked, fromOf } from "#lib/history/address.ts";
import { portionOf } from "#lib/history/rows.ts";

/** Of a comparison, what goes with the page itself: lines, and characters of text. */
const portion = { lines: 300, characters: 120_000 } as const;

/** Bytes of a comparison. The page loads a longer one itself: to parse it here would hold up the requests of others. */
const longestWithPage = 1_000_000;

const notWithPage = {
  stats: null,
  isCoarse: false,
  lineEndsOnly: false,
  lineCount: null,
  portion: { hunks: [], isWhole: false },
};

export type Compared = Awaited<ReturnType<typeof comparedIn>>;

/** Refused in the API's words where one of the two is past its retention. @throws ProblemError any other refusal */
export async function compared(
  client: Client,
  artifactId: string,
  asked: Pick<Asked, "pinned" | "to" | "tab">,
): Promise<Compared | { problem: Refusal }> {
  try {
    return await comparedIn(client, artifactId, asked);
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.code === "version_expired")
      return { problem: refusalOf(cause.problem) };
    throw cause;
  }
}

/** Null for the first version alone: there is nothing to compare it with. */
async function comparedIn(client: Client, artifactId: string, asked: Pick<Asked, "pinned" | "to" | "tab">) {
  const { to } = asked;
  const from = fromOf(asked);
  if (from === null) return null;
  if (asked.tab === "screenshot") return { from, to };
  if (asked.tab === "rendered") {
    const { url, besideUrl = url } = await client.call("artifact.ticket", { artifactId, version: from, beside: to });
    return { from, to, frames: [url, besideUrl] };
  }
  const answer = await client.send("version.diff", { artifactId, from, to });
  if (Number(answer.headers.get("content-length") ?? "0") > longestWithPage) {
    await answer.body?.cancel();
    return { from, to, diff: notWithPage };
  }
  const { stats, coarse, lineEndsOnly = false, hunks } = (await answer.json()) as Diff;
  const lineCount = hunks.reduce((count, hunk) => count + hunk.lines.length, 0);
  return {
    from,
    to,
    diff: {
      stats,
      isCoarse: coarse,
      lineEndsOnly,
      lineCount,
      portion: portionOf(hunks, portion.lines, portion.characters),
    },
  };
}
