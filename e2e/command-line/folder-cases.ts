// The cases of `plinth pull` and `plinth diff`: a project in a folder, and a file against its published version.
import { mkdtemp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { createArtifact, createProject } from "../harness/people.ts";
import {
  asOwner,
  failureForms,
  fails,
  linesOf,
  refused,
  shows,
  succeeds,
  type Case,
  type CasesOf,
  type Make,
  type Stage,
} from "./cases.ts";
import { usageCases } from "./usage-cases.ts";

/** Refusals by a stand-in, whichever request is refused. */
const staged = [
  ...(["version_expired", "token_expired", "insufficient_scope", "invalid_request"] as const),
  ...(["rate_limited", "unavailable", "internal"] as const),
];

/** The refusals of any line, and that of a token that is none. */
const refusals = (stage: Stage, line: Make): Case[] => [
  fails(
    "a token that is none",
    "unauthenticated",
    async () => ({ ...(await line()), env: { ...asOwner(stage), SERVICE_TOKEN: "plk_not-a-token" } }),
    "server",
  ),
  ...staged.map((code) => refused(stage, code, line)),
];

/** A project with one document; the name of the project. */
async function projectOf({ fixtures }: Stage): Promise<string> {
  const { slug } = await createProject(fixtures.owner);
  await createArtifact(fixtures.owner, slug, { sourcePath: "guide/first.md" });
  return slug;
}

/** A folder with this text at `guide/first.md`, relative to the working directory of lines. */
async function folderWith({ folder }: Stage, text: string): Promise<string> {
  const place = await mkdtemp(join(folder, "folder-"));
  await Bun.write(join(place, "guide/first.md"), text);
  return basename(place);
}

export const pullCases: CasesOf = (stage, command) => {
  const { owner } = stage.fixtures;
  const start = linesOf("pull", () => ({ env: asOwner(stage) }));
  const line =
    (...more: readonly string[]): Make =>
    async () =>
      start(`${owner.username}/${await projectOf(stage)}`, ...more)();
  const into =
    (text: string, ...more: readonly string[]): Make =>
    async () =>
      line(await folderWith(stage, text), ...more)();
  return [
    shows("to a new folder", { unchanged: 0, written: ["guide/first.md"] }, line()),
    // With nothing to tell, text is empty.
    shows("what is there", { unchanged: 1, written: [] }, into("# First\n"), ["json"]),
    shows("--force", { unchanged: 0, written: ["guide/first.md"] }, into("Mine\n", "--force")),
    shows("--check", { dryRun: true }, line("--check")),
    fails("changes", "usage", into("Mine\n")),
    fails("no such project", "not_found", start(`${owner.username}/nothing-here`), "server"),
    {
      name: "a path that is hidden",
      outcome: { code: "partial_failure", by: "client", partial: true },
      forms: failureForms,
      line: async () => {
        const project = await projectOf(stage);
        await createArtifact(owner, project, { sourcePath: ".hidden/first.md" });
        return start(`${owner.username}/${project}`)();
      },
    },
    ...refusals(stage, line()),
    ...usageCases(command, stage, line()),
  ];
};

export const diffCases: CasesOf = (stage, command) => {
  const { owner, project } = stage.fixtures;
  const start = linesOf("diff", () => ({ env: asOwner(stage) }));
  const line =
    (text: string): Make =>
    async () => {
      const slug = await projectOf(stage);
      return start(join(await folderWith(stage, text), "guide/first.md"), "--project-slug", slug)();
    };
  return [
    shows("the same", { isSame: true, version: 1 }, line("# First\n"), ["json"]),
    shows("another text", { isSame: false, additions: 1, deletions: 1 }, line("# Second\n")),
    fails("a file that is not published", "not_found", async () => {
      const folder = await mkdtemp(join(stage.folder, "folder-"));
      await writeFile(join(folder, "new.md"), "# New\n");
      return start(join(basename(folder), "new.md"), "--project-slug", await projectOf(stage))();
    }),
    succeeds("two versions", async () => {
      const { artifactId } = await createArtifact(owner, project.slug);
      await owner.client.call("version.create", { artifactId, content: "# Second\n" });
      return start(artifactId)();
    }),
    refused(stage, "busy", start("art_01jd8w3c5t7k9m2n4p6q8r0s1v", "--from=1", "--to=2")),
    ...refusals(stage, line("# First\n")),
    ...usageCases(command, stage, line("# First\n")),
  ];
};
