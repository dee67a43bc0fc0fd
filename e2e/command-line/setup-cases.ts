// The cases of the commands that settle where a person and a repository publish, and of `plinth api`: files on this
// machine, and refusals by stand-ins.
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";

import { errorCodes, type ErrorCode } from "@plinth/contract/errors";

import { fresh } from "../harness/people.ts";
import {
  asOwner,
  fails,
  linesOf,
  newHome,
  refused,
  shows,
  succeeds,
  trapped,
  untyped,
  type Case,
  type CasesOf,
  type Make,
  type Stage,
} from "./cases.ts";
import type { CatalogueCommand } from "./catalogue.ts";
import { usageCases } from "./usage-cases.ts";

/** Every code of the server that the catalogue says of the command, by a stand-in. */
const refusals = (stage: Stage, { errors }: CatalogueCommand, line: Make): Case[] =>
  errors.filter((code): code is ErrorCode => code in errorCodes).map((code) => refused(stage, code, line));

export const versionCases: CasesOf = (stage, command) => {
  const line = linesOf("version", () => ({ env: trapped(stage) }))();
  return [succeeds("version", line), ...usageCases(command, stage, line)];
};

/** No line may replace the executable of the tests: install.test.ts installs another one for that. */
export const upgradeCases: CasesOf = (stage, command) => {
  const line = (address: string) => linesOf("upgrade", () => ({ env: { SERVICE_BASE_URL: address } }))();
  const { nobody, trap } = stage.standIns;
  return [
    refused(stage, "not_found", line(trap)),
    fails("nobody listens", "unavailable", line(nobody)),
    ...usageCases(command, stage, line(trap)),
  ];
};

const configLines = (stage: Stage, action: string) =>
  linesOf(`config ${action}`, async () => ({ env: trapped(stage), home: await newHome(stage) }));

export const configListCases: CasesOf = (stage, command) => {
  const line = configLines(stage, "list")();
  return [succeeds("nothing is set", line), ...usageCases(command, stage, line)];
};

export const configGetCases: CasesOf = (stage, command) => {
  const line = configLines(stage, "get");
  return [
    succeeds("what is not set", line("owner"), undefined, ["json"]),
    fails("what is no setting", "usage", line("ownr")),
    ...usageCases(command, stage, line("owner")),
  ];
};

export const configSetCases: CasesOf = (stage, command) => {
  const line = configLines(stage, "set");
  return [
    shows("a setting", { name: "owner", value: "ada" }, line("owner", "ada"), ["json"]),
    shows("none", { name: "owner", value: null }, line("owner", "none"), ["json"]),
    shows("dry run", { name: "owner", value: "ada" }, line("owner", "ada", "--dry-run"), ["json"]),
    fails("a value that is none", "usage", line("format", "yaml")),
    ...usageCases(command, stage, line("owner", "ada")),
  ];
};

export const initCases: CasesOf = (stage, command) => {
  const repository = () => mkdtemp(join(stage.folder, "repository-"));
  const line = linesOf("init", async () => ({ env: asOwner(stage), directory: await repository() }));
  const project = `--project-slug=${stage.fixtures.project.slug}`;
  return [
    shows("a project", { action: "created" }, line(project)),
    succeeds("a new project", async () => line(`--project-slug=${fresh("made")}`, "--create-project")()),
    shows("dry run", { dryRun: true }, line(project, "--dry-run")),
    fails("no such project", "not_found", line(`--project-slug=${fresh("absent")}`)),
    untyped(stage, "nobody types", ["init", project]),
    ...refusals(stage, command, line(project)).filter(({ name }) => name !== "not_found"),
    ...usageCases(command, stage, line(project)),
  ];
};

export const apiCases: CasesOf = (stage, command) => {
  const line = linesOf("api", () => ({ env: asOwner(stage) }));
  const unauthenticated = linesOf("api", () => ({ env: { ...asOwner(stage), SERVICE_TOKEN: "" } }));
  const toTrap = linesOf("api", () => ({ env: trapped(stage) }));
  const path = "/api/profile/me";
  const { username } = stage.fixtures.owner;
  return [
    succeeds("a read", line(path), { prints: "program", shows: { username } }),
    succeeds("dry run", line("/api/projects", "--set=slug=a", "--dry-run")),
    fails("another instance", "usage", line("http://elsewhere.test/api/a")),
    fails("no token", "unauthenticated", unauthenticated(path), "server"),
    untyped(stage, "nobody types", ["api", path]),
    ...refusals(stage, command, line(path)),
    // The answer may have any field.
    ...usageCases(command, stage, toTrap(path)).filter(({ name }) => name !== "a field that is not there"),
  ];
};

/** The names that `plinth completion` asks for; its scripts are in local-cases.ts. */
export const completionNameCases: CasesOf = (stage, command) => [
  ...refusals(stage, command, linesOf("completion", () => ({ env: asOwner(stage) }))("--names=project")),
  fails(
    "--names and a shell",
    "usage",
    linesOf("completion", () => ({ env: trapped(stage) }))("bash", "--names=project"),
  ),
];
