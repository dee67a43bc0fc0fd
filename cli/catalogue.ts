// Every command: a loop over the registry, and the few that are not one endpoint.
import { operations, registry } from "@plinth/contract/registry";

import { commandTree, type Command, type Node } from "./command/command.ts";
import { operationCommand } from "./operations/operation-command.ts";
import type { CommandOperation } from "./operations/operation-input.ts";
import { overrideOf } from "./operations/overrides.ts";
import { agentInitCommand } from "./commands/agent-init.ts";
import { apiCommand } from "./commands/api.ts";
import { completionCommand } from "./commands/completion.ts";
import { configGetCommand, configListCommand, configSetCommand } from "./commands/config.ts";
import { diffCommand } from "./commands/diff.ts";
import { editCommand } from "./commands/edit.ts";
import { initCommand } from "./commands/init.ts";
import { loginCommand } from "./commands/login.ts";
import { logoutCommand } from "./commands/logout.ts";
import { openCommand } from "./commands/open.ts";
import { pullCommand } from "./commands/pull.ts";
import { pushCommand } from "./commands/push.ts";
import { schemaCommand } from "./commands/schema.ts";
import { statusCommand } from "./commands/status.ts";
import { upgradeCommand } from "./commands/upgrade.ts";
import { versionCommand } from "./commands/version.ts";

const isCommand = (op: (typeof operations)[number]): op is CommandOperation => op.cli !== undefined;

const operationCommands = operations
  .filter(isCommand)
  .flatMap((op) =>
    [op.cli.command, ...(op.cli.aliases ?? [])].map((path) => operationCommand(op, path, overrideOf(path, op))),
  );

const compareVersions = operationCommand(
  registry["version.diff"],
  "artifact diff",
  overrideOf("artifact diff", registry["version.diff"]),
);

/** In the order that help and the documentation show them: what is done every day first, the others by their names. */
export const commands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  pushCommand,
  pullCommand,
  diffCommand(compareVersions),
  ...[
    ...operationCommands,
    editCommand,
    openCommand,
    initCommand,
    configListCommand,
    configGetCommand,
    configSetCommand,
    apiCommand,
    versionCommand,
    upgradeCommand,
    agentInitCommand,
    statusCommand,
    schemaCommand(() => commands),
    completionCommand(() => catalogue),
  ].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
];

export const catalogue: Node = commandTree(
  "plinth",
  "Publish markdown, html and jsx as immutable versions at durable addresses",
  commands,
);
