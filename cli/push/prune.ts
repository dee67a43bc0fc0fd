// `push --prune`: artifacts whose file the folder no longer has are moved to the trash, after they are named.
import { undeleteDays } from "@plinth/contract/limits";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import type { Context } from "../command/context.ts";
import { ownFailure } from "../failure/failure.ts";
import { oneLine } from "../terminal/style.ts";

export interface Pruned {
  readonly artifactId: string;
  readonly sourcePath: string | null;
  readonly url: string;
}

const linesMax = 20;

/** Asks before anything is sent. @throws Failure confirmation_needed, interrupted */
export async function confirmPrune(gone: readonly Artifact[], isConfirmed: boolean, context: Context): Promise<void> {
  if (gone.length === 0 || isConfirmed || context.settings.check) return;
  const { io, settings } = context;
  const names = gone.map(({ sourcePath, url }) => `${oneLine(sourcePath ?? "")}  ${oneLine(url)}`);
  const list = [
    ...names.slice(0, linesMax),
    ...(names.length > linesMax ? [`and ${names.length - linesMax} more`] : []),
  ];
  const what = gone.length === 1 ? "1 artifact has" : `${gone.length} artifacts have`;
  if (!io.stdin.isTerminal || !io.stderr.isTerminal || settings.noInput)
    throw ownFailure("confirmation_needed", `${what} no file in the folder any more; nothing was sent`, {
      errors: gone.slice(0, 100).map(({ sourcePath, url }) => ({ path: sourcePath ?? "", message: url })),
      hint: "Add --yes to move them to the trash, or leave out --prune",
    });
  await io.stderr.write(`${what} no file in the folder any more:\n${list.map((name) => `  ${name}\n`).join("")}`);
  const answer = await io.ask("Move to the trash? [y/N] ");
  if (!/^y(es)?$/i.test(answer?.trim() ?? ""))
    throw ownFailure("interrupted", "It was not confirmed, and nothing was sent", {
      hint: "Leave out --prune to publish the folder without deleting",
    });
}

/** Moves them to the trash. @throws ProblemError */
export async function prune(gone: readonly Artifact[], context: Context): Promise<Pruned[]> {
  const client = await context.api();
  const pruned: Pruned[] = [];
  for (const { artifactId, sourcePath, url } of gone) {
    await client.call("artifact.delete", { artifactId }, { dryRun: context.settings.check });
    pruned.push({ artifactId, sourcePath, url });
  }
  if (gone.length > 0 && !context.settings.check)
    context.progress(
      `Moved ${gone.length} to the trash; plinth artifact undelete restores one for ${undeleteDays} days`,
    );
  return pruned;
}
