// The cases of `plinth pull` and `plinth diff`: a project in a folder, and a file against its published version.
import { mkdtemp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { createArtifact, createProject } from "../harness/people.ts";
import { failureForms, type Case, type CasesOf, type Stage, type Success } from "./cases.ts";
import type { FailureCode } from "./catalogue.ts";
import type { Line } from "./line.ts";
import { usageCases } from "./usage-cases.ts";

type Make = () => Promise<Line>;

const succeeds = (name: string, shows: Success["shows"], line: Make): Case => ({
  name,
  outcome: { prints: "document", ...(shows && { shows }) },
  forms: ["text", "json"],
  line,
});

/** With nothing to tell, text is empty. */
const quietly = (name: string, shows: Success["shows"], line: Make): Case => ({
  ...succeeds(name, shows, line),
  forms: ["json"],
});

const fails = (name: string, code: FailureCode, by: "server" | "client", line: Make): Case => ({
  name,
  outcome: { code, by },
  forms: failureForms,
  line,
});

/** Refusals by a stand-in, whichever request is refused. */
const staged = [
  "version_expired",
  "token_expired",
  "insufficient_scope",
  "invalid_request",
  "rate_limited",
  "unavailable",
  "internal",
] as const;

const refusals = (stage: Stage, line: Make): Case[] =>
  staged.map((code) =>
    fails(code, code, "server", async () => ({
      ...(await line()),
      env: { ...env(stage), SERVICE_BASE_URL: stage.standIns.refusing(code) },
    })),
  );

const env = ({ fixtures }: Stage) => ({
  SERVICE_BASE_URL: fixtures.instance.origin,
  SERVICE_TOKEN: fixtures.owner.token,
});

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
  const line =
    (...more: readonly string[]): Make =>
    async () => ({
      words: ["pull", `${owner.username}/${await projectOf(stage)}`, ...more],
      env: env(stage),
    });
  const into = (text: string, ...more: readonly string[]): Make => {
    return async () => line(await folderWith(stage, text), ...more)();
  };
  return [
    succeeds("to a new folder", { unchanged: 0, written: ["guide/first.md"] }, line()),
    quietly("what is there", { unchanged: 1, written: [] }, into("# First\n")),
    succeeds("--force", { unchanged: 0, written: ["guide/first.md"] }, into("Mine\n", "--force")),
    succeeds("--check", { dryRun: true }, line("--check")),
    fails("changes", "usage", "client", into("Mine\n")),
    fails("no such project", "not_found", "server", async () => ({
      words: ["pull", `${owner.username}/nothing-here`],
      env: env(stage),
    })),
    fails("a token that is none", "unauthenticated", "server", async () => ({
      ...(await line()()),
      env: { ...env(stage), SERVICE_TOKEN: "plk_not-a-token" },
    })),
    {
      name: "a path that is hidden",
      outcome: { code: "partial_failure", by: "client", partial: true },
      forms: failureForms,
      line: async () => {
        const project = await projectOf(stage);
        await createArtifact(owner, project, { sourcePath: ".hidden/first.md" });
        return { words: ["pull", `${owner.username}/${project}`], env: env(stage) };
      },
    },
    ...refusals(stage, line()),
    ...usageCases(command, stage, line()),
  ];
};

export const diffCases: CasesOf = (stage, command) => {
  const line =
    (text: string, ...more: readonly string[]): Make =>
    async () => {
      const project = await projectOf(stage);
      const file = join(await folderWith(stage, text), "guide/first.md");
      return { words: ["diff", file, "--project-slug", project, ...more], env: env(stage) };
    };
  return [
    quietly("the same", { isSame: true, version: 1 }, line("# First\n")),
    succeeds("another text", { isSame: false, additions: 1, deletions: 1 }, line("# Second\n")),
    fails("a file that is not published", "not_found", "client", async () => {
      const folder = await mkdtemp(join(stage.folder, "folder-"));
      await writeFile(join(folder, "new.md"), "# New\n");
      const words = ["diff", join(basename(folder), "new.md"), "--project-slug", await projectOf(stage)];
      return { words, env: env(stage) };
    }),
    fails("a token that is none", "unauthenticated", "server", async () => ({
      ...(await line("# First\n")()),
      env: { ...env(stage), SERVICE_TOKEN: "plk_not-a-token" },
    })),
    succeeds("two versions", {}, async () => {
      const { artifactId } = await createArtifact(stage.fixtures.owner, stage.fixtures.project.slug);
      await stage.fixtures.owner.client.call("version.create", { artifactId, content: "# Second\n" });
      return { words: ["diff", artifactId], env: env(stage) };
    }),
    fails("busy", "busy", "server", async () => ({
      words: ["diff", "art_01jd8w3c5t7k9m2n4p6q8r0s1v", "--from=1", "--to=2"],
      env: { ...env(stage), SERVICE_BASE_URL: stage.standIns.refusing("busy") },
    })),
    ...refusals(stage, line("# First\n")),
    ...usageCases(command, stage, line("# First\n")),
  ];
};
