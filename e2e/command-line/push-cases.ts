// The cases of `plinth push` besides those of the operation that creates an artifact: files, and a slug that is taken.
// Also how its words express the operation's input.
import { mkdtemp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { createArtifact, fresh } from "../harness/people.ts";
import type { Fields } from "../harness/call.ts";
import { failureForms, type Case, type CasesOf, type Stage, type Success } from "./cases.ts";
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
  const { fixtures } = stage;
  const succeeds = (name: string, shows: Success["shows"], line: () => Promise<Line>): Case => ({
    name,
    outcome: { prints: "document", ...(shows && { shows }) },
    forms: ["text", "json"],
    line,
  });
  const line = async (files: Files, ...more: readonly string[]): Promise<Line> => ({
    words: ["push", "--project-slug", fixtures.project.slug, ...(await written(stage, files)), ...more],
    env: { SERVICE_BASE_URL: fixtures.instance.origin, SERVICE_TOKEN: fixtures.owner.token },
  });
  const taken = async (content: string, text = "# First\n") => {
    const { slug } = await createArtifact(fixtures.owner, fixtures.project.slug, { content });
    return line({ [`${slug}.md`]: text }, "--slug", slug, "--ensure");
  };
  const some = async () =>
    line({ [`${fresh("good")}.md`]: "Text\n", [`${fresh("bad")}.jsx`]: "export default () => <p>" });
  return [
    succeeds("a file", { action: "created", version: 1, visibility: "public" }, () =>
      line({ [`${fresh("file")}.md`]: "Text\n" }),
    ),
    succeeds("a private file", { visibility: "private" }, () =>
      line({ [`${fresh("file")}.html`]: "<p>Text</p>" }, "--private"),
    ),
    succeeds("--ensure of what is new", { action: "created" }, () =>
      line({ [`${fresh("file")}.md`]: "Text\n" }, "--ensure"),
    ),
    succeeds("--ensure of what differs", { action: "updated", version: 2 }, () => taken("# Other\n")),
    succeeds("--ensure of what is there", { action: "unchanged", version: 1 }, () => taken("# First\n")),
    {
      name: "several files",
      outcome: { prints: "document" },
      forms: ["text", "json", "ndjson"],
      line: () => line({ [`${fresh("one")}.md`]: "Text\n", [`${fresh("two")}.html`]: "<p>Text</p>" }),
    },
    {
      name: "one of two files fails",
      outcome: { code: "partial_failure", by: "client", partial: true },
      forms: failureForms,
      line: some,
    },
    {
      name: "another type is there",
      outcome: { code: "slug_conflict", by: "client" },
      forms: failureForms,
      line: async () => {
        const { slug } = await createArtifact(fixtures.owner, fixtures.project.slug);
        return line({ [`${slug}.html`]: "<p>Text</p>" }, "--slug", slug, "--ensure");
      },
    },
    {
      name: "a version_conflict under --ensure",
      outcome: { code: "version_conflict", by: "server" },
      forms: failureForms,
      line: async () => ({
        ...(await line({ [`${fresh("file")}.md`]: "Text\n" }, "--ensure")),
        env: { SERVICE_BASE_URL: stage.standIns.refusing("version_conflict"), SERVICE_TOKEN: fixtures.owner.token },
      }),
    },
    {
      name: "the storage for files is full",
      outcome: { code: "storage_limit_reached", by: "server" },
      forms: failureForms,
      line: async () => ({
        ...(await line({ [`${fresh("file")}.md`]: "Text\n" })),
        env: {
          SERVICE_BASE_URL: stage.standIns.refusing("storage_limit_reached"),
          SERVICE_TOKEN: fixtures.owner.token,
        },
      }),
    },
    {
      name: "a version whose text is past its days",
      outcome: { code: "version_expired", by: "server" },
      forms: failureForms,
      line: async () => ({
        ...(await line({ [`${fresh("file")}.md`]: "Text\n" }, "--ensure")),
        env: { SERVICE_BASE_URL: stage.standIns.refusing("version_expired"), SERVICE_TOKEN: fixtures.owner.token },
      }),
    },
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
