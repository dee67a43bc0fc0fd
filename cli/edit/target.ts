// The artifact whose text is edited, and that text: what both ways of editing begin with.
import type { Context } from "../context.ts";

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

/** The latest text, byte for byte, and the version it is of. @throws ProblemError */
export async function readHead(artifactId: string, context: Context): Promise<Head> {
  const client = await context.api();
  const response = await client.send("version.content", { artifactId }, { headers: { accept: "*/*" } });
  const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  return { artifactId, versionNumber: Number(response.headers.get("x-artifact-version")), content };
}
