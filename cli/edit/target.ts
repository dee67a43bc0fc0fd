// The artifact whose text is edited, and that text: what both ways of editing begin with.
import type { Context } from "../command/context.ts";
import { clientFailure, type Failure } from "../failure/failure.ts";

export interface Head {
  readonly artifactId: string;
  readonly versionNumber: number;
  readonly content: string;
}

/** What the line says of the version that comes of it. */
export interface Publishing {
  readonly artifactId: string;
  readonly changelog?: string;
  readonly expectedLatestVersion?: number;
}

/** The latest text, byte for byte, and the version it is of. @throws ProblemError; Failure where that is not the expected one */
export async function readHead(
  { artifactId, expectedLatestVersion: expected }: Publishing,
  context: Context,
): Promise<Head> {
  const client = await context.api();
  const response = await client.send("version.content", { artifactId }, { headers: { accept: "*/*" } });
  const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  const versionNumber = Number(response.headers.get("x-artifact-version"));
  if (expected !== undefined && expected !== versionNumber) throw unexpected(artifactId, expected, versionNumber);
  return { artifactId, versionNumber, content };
}

const unexpected = (artifactId: string, expected: number, latest: number): Failure =>
  clientFailure(
    "version_conflict",
    `The latest version is v${latest}, not v${expected}`,
    expected < latest
      ? {
          hint: `Look at what changed, then edit that and give --expected-latest-version ${latest}`,
          next: `plinth artifact diff ${artifactId} --from ${expected} --to ${latest}`,
        }
      : { hint: `There is no v${expected} yet: give --expected-latest-version ${latest}` },
  );
