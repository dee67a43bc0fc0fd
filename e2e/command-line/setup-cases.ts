// The cases of the commands that settle where a person and a repository publish, and of `plinth api`: files on this
// machine, and refusals by stand-ins.
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";

import { errorCodes, type ErrorCode } from "@plinth/contract/errors";

import { fresh } from "../harness/people.ts";
import { fails, succeeds, type Case, type CasesOf, type Make, type Stage, type Success } from "./cases.ts";
import type { CatalogueCommand } from "./catalogue.ts";
import { usageCases } from "./usage-cases.ts";

const env = ({ fixtures }: Stage) => ({
  SERVICE_BASE_URL: fixtures.instance.origin,
  SERVICE_TOKEN: fixtures.owner.token,
});

const at = ({ standIns }: Stage) => ({ SERVICE_BASE_URL: standIns.trap });

const home = ({ folder }: Stage): Promise<string> => mkdtemp(join(folder, "home-"));

/** Every code of the server that the catalogue says of the command, by a stand-in. */
function refusals(stage: Stage, { errors }: CatalogueCommand, line: Make): Case[] {
  const codes = errors.filter((code): code is ErrorCode => code in errorCodes);
  return codes.map((code) =>
    fails(
      code,
      code,
      async () => {
        const { env: given, ...rest } = await line();
        return { ...rest, env: { ...given, SERVICE_BASE_URL: stage.standIns.refusing(code) } };
      },
      "server",
    ),
  );
}

function nobodyTypes(stage: Stage, words: readonly string[]): Case {
  const line: Make = async () => ({
    words: [...words, "--token-stdin", "--no-input"],
    env: at(stage),
    stdin: { terminal: true },
  });
  return fails("nobody types", "input_needed", line);
}

export const versionCases: CasesOf = (stage, command) => {
  const line: Make = async () => ({ words: ["version"], env: at(stage) });
  return [succeeds("version", line), ...usageCases(command, stage, line)];
};

/** No line may replace the executable of the tests: install.test.ts installs another one for that. */
export const upgradeCases: CasesOf = (stage, command) => {
  const line =
    (address: string): Make =>
    async () => ({ words: ["upgrade"], env: { ...at(stage), SERVICE_BASE_URL: address } });
  const { nobody, refusing, trap } = stage.standIns;
  return [
    fails("not_found", "not_found", line(refusing("not_found"))),
    fails("nobody listens", "unavailable", line(nobody)),
    ...usageCases(command, stage, line(trap)),
  ];
};

export const configListCases: CasesOf = (stage, command) => {
  const line: Make = async () => ({ words: ["config", "list"], env: at(stage), home: await home(stage) });
  return [succeeds("nothing is set", line), ...usageCases(command, stage, line)];
};

export const configGetCases: CasesOf = (stage, command) => {
  const line =
    (...more: readonly string[]): Make =>
    async () => ({ words: ["config", "get", ...more], env: at(stage), home: await home(stage) });
  return [
    { ...succeeds("what is not set", line("owner")), forms: ["json"] },
    fails("what is no setting", "usage", line("ownr")),
    ...usageCases(command, stage, line("owner")),
  ];
};

export const configSetCases: CasesOf = (stage, command) => {
  const line =
    (...more: readonly string[]): Make =>
    async () => ({ words: ["config", "set", ...more], env: at(stage), home: await home(stage) });
  const shows = (value: string | null): Success => ({ prints: "document", shows: { name: "owner", value } });
  return [
    { ...succeeds("a setting", line("owner", "ada"), shows("ada")), forms: ["json"] },
    { ...succeeds("none", line("owner", "none"), shows(null)), forms: ["json"] },
    { ...succeeds("dry run", line("owner", "ada", "--dry-run"), shows("ada")), forms: ["json"] },
    fails("a value that is none", "usage", line("format", "yaml")),
    ...usageCases(command, stage, line("owner", "ada")),
  ];
};

export const initCases: CasesOf = (stage, command) => {
  const { fixtures } = stage;
  const line =
    (...more: readonly string[]): Make =>
    async () => ({
      words: ["init", ...more],
      env: env(stage),
      directory: await mkdtemp(join(stage.folder, "repository-")),
    });
  const project = `--project-slug=${fixtures.project.slug}`;
  return [
    succeeds("a project", line(project), { prints: "document", shows: { action: "created" } }),
    succeeds("a new project", async () => line(`--project-slug=${fresh("made")}`, "--create-project")()),
    succeeds("dry run", line(project, "--dry-run"), { prints: "document", shows: { dryRun: true } }),
    fails("no such project", "not_found", line(`--project-slug=${fresh("absent")}`)),
    nobodyTypes(stage, ["init", project]),
    ...refusals(stage, command, line(project)).filter(({ name }) => name !== "not_found"),
    ...usageCases(command, stage, line(project)),
  ];
};

export const apiCases: CasesOf = (stage, command) => {
  const line =
    (...more: readonly string[]): Make =>
    async () => ({ words: ["api", ...more], env: env(stage) });
  const me = line("/api/profile/me");
  const unauthenticated: Make = async () => ({
    words: ["api", "/api/profile/me"],
    env: { ...env(stage), SERVICE_TOKEN: "" },
  });
  return [
    succeeds("a read", me, { prints: "program", shows: { username: fixturesName(stage) } }),
    succeeds("dry run", line("/api/projects", "--set=slug=a", "--dry-run")),
    fails("another instance", "usage", line("http://elsewhere.test/api/a")),
    fails("no token", "unauthenticated", unauthenticated, "server"),
    nobodyTypes(stage, ["api", "/api/profile/me"]),
    ...refusals(stage, command, me),
    ...usageCases(command, stage, async () => ({ words: ["api", "/api/profile/me"], env: at(stage) })).filter(
      // The answer may have any field.
      ({ name }) => name !== "a field that is not there",
    ),
  ];
};

const fixturesName = ({ fixtures }: Stage): string => fixtures.owner.username;

/** The names that `plinth completion` asks for; its scripts are in local-cases.ts. */
export const completionNameCases: CasesOf = (stage, command) => {
  const line: Make = async () => ({ words: ["completion", "--names=project"], env: env(stage) });
  return [
    ...refusals(stage, command, line),
    fails("--names and a shell", "usage", async () => ({
      words: ["completion", "bash", "--names=project"],
      env: at(stage),
    })),
  ];
};
