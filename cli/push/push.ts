// One document of a push: its source, the request that creates it, and the files that go with it.
import type { Input } from "@plinth/contract/registry";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { DocumentFiles } from "@plinth/contract/publishing/references/collect";
import type { Client } from "@plinth/contract/client";
import { inferDescription, inferTitle } from "@plinth/contract/publishing/inference";

import type { Source } from "../io/reader.ts";
import type { NamedFile } from "./named-files.ts";

// Title and description of what is there already: which of them the artifact does not have as the push says them.
interface Detail {
  readonly value: string;
  /** A flag said it. What the text says counts only where the text changed it. */
  readonly isExplicit: boolean;
}

/** What a push says of its artifact; null where it says nothing, and then nothing changes. */
export interface Details {
  readonly title: Detail | null;
  readonly description: Detail | null;
  /** The details in the text itself, regardless of the flags. */
  readonly inText: TextDetails;
}

interface TextDetails {
  readonly title: string | null;
  readonly description: string | null;
}

interface Flags {
  readonly title?: string;
  readonly description?: string;
}

/** A file's name is no title of its text: it does not replace another title of the artifact. */
export function detailsOf(flags: Flags, type: ArtifactType, content: string): Details {
  const detail = (flag: string | undefined, inText: string | null): Detail | null => {
    const value = flag ?? inText;
    return value === null ? null : { value, isExplicit: flag !== undefined };
  };
  const inText = textDetails(type, content);
  return {
    title: detail(flags.title, inText.title),
    description: detail(flags.description, inText.description),
    inText,
  };
}

const textDetails = (type: ArtifactType, content: string): TextDetails => ({
  title: inferTitle("-", type, content),
  description: inferDescription(type, content),
});

const names = ["title", "description"] as const;

/** Whether the artifact may have to change for them, when it was last pushed with the text of `before`. */
export const mayChange = (details: Details, before: Details): boolean =>
  names.some((name) => details[name]?.isExplicit === true || details.inText[name] !== before.inText[name]);

/**
 * The details to change. Where only the text says one, `before` is asked what the latest version's text says: a title
 * given on the web stays.
 */
export async function changedDetails(
  details: Details,
  artifact: Artifact,
  hasNewText: boolean,
  before: () => Promise<TextDetails> | TextDetails,
): Promise<{ title?: string; description?: string | null }> {
  const differing = names.filter((name) => {
    const detail = details[name];
    return detail !== null && detail.value !== (artifact[name] ?? "") && (detail.isExplicit || hasNewText);
  });
  if (differing.length === 0) return {};
  const isInText = differing.some((name) => details[name]?.isExplicit === false);
  const was = isInText ? await before() : null;
  return Object.fromEntries(
    differing.flatMap((name) => {
      const detail = details[name];
      if (detail === null || (!detail.isExplicit && was?.[name] === detail.value)) return [];
      // An empty description is none.
      return [[name, name === "description" ? detail.value || null : detail.value]];
    }),
  );
}

/** What the text of the latest version says. */
export async function publishedDetails({ artifactId, type }: Artifact, client: Client): Promise<TextDetails> {
  const response = await client.send("version.content", { artifactId }, { headers: { accept: "*/*" } });
  return textDetails(type, new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer()));
}

export interface Push {
  readonly file: NamedFile;
  readonly source: Source;
  readonly body: Input<"artifact.create"> & { readonly content: string };
  readonly details: Details;
  /** The files beside the document; none for standard input. */
  readonly found?: DocumentFiles;
  /** Of the files and their paths, as a version has it; left out where there are no files. */
  readonly filesSha256?: string;
  /** The artifact of this file by its source path: it is updated. */
  readonly known?: Artifact;
  /** The slug is that of the title, and so may be another document's by chance. */
  readonly isTitleSlug: boolean;
  /** The line names the slug, and so the artifact that this file is to be. */
  readonly isSlugGiven: boolean;
  /** What an html document calls itself, where its title is only the file's name. */
  readonly ownTitle?: string;
  readonly ensure: boolean;
  readonly createProject: boolean;
}
