// Title and description under `--ensure`: which of them the artifact does not have as the push says them.
import type { Client } from "@plinth/contract/client";
import { inferDescription, inferTitle } from "@plinth/contract/publishing/inference";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";

export interface Detail {
  readonly value: string;
  /** A flag said it. What the text says counts only where the text changed it. */
  readonly isExplicit: boolean;
}

/** What a push says of its artifact; null where it says nothing, and then nothing changes. */
export interface Details {
  readonly title: Detail | null;
  readonly description: Detail | null;
}

interface Flags {
  readonly title?: string;
  readonly description?: string;
}

/** A file's name is no title of its text: another name for the page is not taken away by it. */
export function detailsOf(flags: Flags, type: ArtifactType, content: string): Details {
  const detail = (flag: string | undefined, inText: string | null): Detail | null => {
    const value = flag ?? inText;
    return value === null ? null : { value, isExplicit: flag !== undefined };
  };
  const text = textDetails(type, content);
  return { title: detail(flags.title, text.title), description: detail(flags.description, text.description) };
}

const textDetails = (type: ArtifactType, content: string) => ({
  title: inferTitle("-", type, content),
  description: inferDescription(type, content),
});

const names = ["title", "description"] as const;

/** The details to change. Where only the text says one, the text before is read: a title given on the web stays. */
export async function changedDetails(
  details: Details,
  artifact: Artifact,
  hasNewText: boolean,
  client: Client,
): Promise<{ title?: string; description?: string | null }> {
  const differing = names.filter((name) => {
    const detail = details[name];
    return detail !== null && detail.value !== (artifact[name] ?? "") && (detail.isExplicit || hasNewText);
  });
  if (differing.length === 0) return {};
  const isInText = differing.some((name) => details[name]?.isExplicit === false);
  const before = isInText ? textDetails(artifact.type, await textOf(artifact, client)) : null;
  return Object.fromEntries(
    differing.flatMap((name) => {
      const detail = details[name];
      if (detail === null || (!detail.isExplicit && before?.[name] === detail.value)) return [];
      // An empty description is none.
      return [[name, name === "description" ? detail.value || null : detail.value]];
    }),
  );
}

async function textOf({ artifactId }: Artifact, client: Client): Promise<string> {
  const response = await client.send("version.content", { artifactId }, { headers: { accept: "*/*" } });
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
}
