// One document of a push: its source, the request that creates it, and the files that go with it.
import type { Input } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { DocumentFiles } from "@plinth/contract/publishing/references/collect";

import type { Source } from "../io/reader.ts";
import type { Details } from "./details.ts";
import type { NamedFile } from "./named-files.ts";

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
