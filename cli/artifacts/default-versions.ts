// The versions that a line means where it names none: the latest, the one before it, and both.
import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";

type Input = Readonly<Record<string, unknown>>;

/** @throws Failure usage, ProblemError */
export async function latestVersion(input: Input, context: Context): Promise<Input> {
  return input["versionNumber"] === undefined
    ? { ...input, versionNumber: await latestOf(input, "--version", context) }
    : input;
}

/** The version before the latest, which undoes the last change. @throws Failure usage, ProblemError */
export async function versionBeforeLatest(input: Input, context: Context): Promise<Input> {
  if (input["versionNumber"] !== undefined) return input;
  const latest = await latestOf(input, "--version", context);
  if (latest === 1)
    throw clientFailure("not_found", "The artifact has no version before version 1", {
      hint: "There is nothing to go back to",
    });
  return { ...input, versionNumber: latest - 1 };
}

/** The version before `to`, which is the latest unless it is given. @throws Failure usage, ProblemError */
export async function latestTwoVersions(input: Input, context: Context): Promise<Input> {
  const { from, to } = input;
  if (from !== undefined && to !== undefined) return input;
  const newer = Number(to ?? (await latestOf(input, "--from and --to", context)));
  if (from === undefined && newer === 1)
    throw clientFailure("not_found", "The artifact has no version before version 1", {
      hint: "There is nothing to compare it with",
    });
  return { ...input, from: from ?? newer - 1, to: newer };
}

async function latestOf({ artifactId }: Input, flags: string, context: Context): Promise<number> {
  if (context.settings.dryRun)
    throw usage("--dry-run sends nothing, and so cannot ask for the latest version", { hint: `Give ${flags}` });
  const client = await context.api();
  return (await client.call("artifact.get", { artifactId: String(artifactId) })).latestVersion;
}
