// The cases of `plinth push` besides those of the operation that creates an artifact: files, and a slug that is taken.
// Also how its words express the operation's input.
import { mkdtemp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { createArtifact, fresh } from "../harness/people.ts";
import type { Fields } from "../harness/call.ts";
import { asOwner, failureForms, fails, refused, shows, succeeds, type CasesOf, type Stage } from "./cases.ts";
import type { CatalogueCommand } from "./catalogue.ts";
import type { Line } from "./line.ts";
import { operationCases } from "./operation-cases.ts";
import type { Said } from "./words.ts";

/** The operation's input as a push of standard input. */
function pushed({ path }: CatalogueCommand, input: Fields): Said {
  const { content, access, ownerUsername, projectSlug, type, title, slug } = input;
  const isPrivate = (access as { publicView?: unknown } | undefined)?.publicView === false;
  const named = { owner: ownerUsername, "project-slug": projectSlug, type, title, slug };
  const flags = Object.entries(named).flatMap(([name, value]) =>
    typeof value === "string" ? [`--${name}=${value}`] : [],
  );
  return { words: [path, ...flags, ...(isPrivate ? ["--private"] : []), "-"], stdin: String(content) };
}

const ofFiles: CasesOf = (stage) => {
  const { owner, project } = stage.fixtures;
  const line = async (files: Files, ...more: readonly string[]): Promise<Line> => ({
    words: ["push", "--project-slug", project.slug, ...(await written(stage, files)), ...more],
    env: asOwner(stage),
  });
  const file = (...more: readonly string[]) => line({ [`${fresh("file")}.md`]: "Text\n" }, ...more);
  const taken = async (content: string) => {
    const { slug } = await createArtifact(owner, project.slug, { content });
    return line({ [`${slug}.md`]: "# First\n" }, "--slug", slug, "--ensure");
  };
  return [
    shows("a file", { action: "created", version: 1, visibility: "public" }, () => file()),
    shows("a private file", { visibility: "private" }, () =>
      line({ [`${fresh("file")}.html`]: "<p>Text</p>" }, "--private"),
    ),
    shows("--ensure of what is new", { action: "created" }, () => file("--ensure")),
    shows("--ensure of what differs", { action: "updated", version: 2 }, () => taken("# Other\n")),
    shows("--ensure of what is there", { action: "unchanged", version: 1 }, () => taken("# First\n")),
    succeeds(
      "several files",
      () => line({ [`${fresh("one")}.md`]: "Text\n", [`${fresh("two")}.html`]: "<p>Text</p>" }),
      { prints: "document" },
      ["text", "json", "ndjson"],
    ),
    {
      name: "one of two files fails",
      outcome: { code: "partial_failure", by: "client", partial: true },
      forms: failureForms,
      line: () => line({ [`${fresh("good")}.md`]: "Text\n", [`${fresh("bad")}.jsx`]: "export default () => <p>" }),
    },
    fails("another type is there", "slug_conflict", async () => {
      const { slug } = await createArtifact(owner, project.slug);
      return line({ [`${slug}.html`]: "<p>Text</p>" }, "--slug", slug, "--ensure");
    }),
    refused(stage, "version_conflict", () => file("--ensure"), "a version_conflict under --ensure"),
    refused(stage, "storage_limit_reached", () => file(), "the storage for files is full"),
    refused(stage, "version_expired", () => file("--ensure"), "a version whose text is past its days"),
  ];
};

type Files = Readonly<Record<string, string>>;

/** Writes the files into a new folder; returns their paths relative to the working directory of lines. */
async function written({ folder }: Stage, files: Files): Promise<string[]> {
  const place = await mkdtemp(join(folder, "files-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
  return Object.keys(files).map((name) => join(basename(place), name));
}

export const pushCases: CasesOf = operationCases("artifact.create", {
  say: pushed,
  invalid: { slug: "No Slug" },
  // Standard input has no path.
  staged: ["source_path_conflict"],
  more: ofFiles,
});
