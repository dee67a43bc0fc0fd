// `plinth config`: the person's own settings, in their config.json. Those of a project are in its .plinth.json
// (`plinth init`), and flags and variables go before both.
import { flagName } from "@plinth/contract/flag-name";

import { didYouMean, nearest } from "@plinth/contract/suggestion";
import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import type { Result } from "../output/print.ts";
import { exactly, text, textOrNull, yes } from "../output/schemas.ts";
import { changeUserConfig, userConfigPath, userSettings } from "../session/user-config.ts";
import { oneLine } from "../terminal/style.ts";

type Name = keyof typeof userSettings;

const names = Object.keys(userSettings) as Name[];
const words = names.map(flagName);
const common = { ...local, flags: { json: jsonFormat }, stdin: null, idempotent: true } as const;
const setting = { name: text, value: textOrNull };
const namePositional = { description: words.join(", "), values: words };

export const configListCommand: Command = {
  ...common,
  path: "config list",
  summary: "List your settings, and the file that they are in",
  output: exactly({ path: text, settings: exactly(Object.fromEntries(names.map((name) => [name, textOrNull]))) }),
  textOutput: "a setting a line",
  examples: ["plinth config list"],
  run: ({ io, config }) => {
    const settings = Object.fromEntries(names.map((name) => [name, config?.members[name] ?? null]));
    const lines = names.map((name) => `${flagName(name)}=${oneLine(settings[name] ?? "")}`);
    return Promise.resolve({ value: { path: userConfigPath(io.env), settings }, text: () => lines.join("\n") });
  },
};

export const configGetCommand: Command = {
  ...common,
  path: "config get",
  summary: "Print one of your settings",
  positionals: { name: "name", ...namePositional },
  output: exactly(setting),
  textOutput: "the value, or nothing",
  examples: ["plinth config get base-url"],
  run: async ({ config }, { positionals }) => {
    const [name] = only(positionals, 1, "config get");
    const value = config?.members[name] ?? null;
    return { value: { name: flagName(name), value }, text: () => oneLine(value ?? "") };
  },
};

export const configSetCommand: Command = {
  ...common,
  path: "config set",
  summary: "Change one of your settings; none removes it",
  positionals: { name: "name value", ...namePositional },
  output: exactly({ ...setting, path: text, dryRun: yes }, ["dryRun"]),
  previews: true,
  textOutput: "nothing",
  examples: ["plinth config set base-url https://plinth.example.com", "plinth config set owner none"],
  run: (context, { positionals }) => set(context, positionals),
};

async function set({ io, settings, progress }: Context, positionals: readonly string[]): Promise<Result> {
  const [name, given] = only(positionals, 2, "config set");
  const value = given === "none" ? null : readValue(name, given);
  const shown = { name: flagName(name), value };
  if (settings.dryRun) return { value: { ...shown, path: userConfigPath(io.env), dryRun: true } };
  const path = await changeUserConfig(io.env, ({ [name]: _before, ...others }) =>
    value === null ? others : { ...others, [name]: value },
  );
  progress(`${shown.name} is ${value === null ? "removed" : oneLine(value)} (${oneLine(path)})`);
  return { value: { ...shown, path }, text: () => "" };
}

function readValue(name: Name, given: string): string {
  try {
    return userSettings[name](given);
  } catch (error) {
    throw usage(`${flagName(name)} ${error instanceof Error ? error.message : "is not valid"}`, {
      hint: "none removes the setting",
      cause: error,
    });
  }
}

/** The setting and what follows it. @throws Failure usage */
function only(positionals: readonly string[], count: 1 | 2, command: string): [Name, string] {
  const [word, value = ""] = positionals;
  const name = names.find((one) => [one, flagName(one)].includes(word ?? ""));
  const next = `plinth ${command} --help`;
  if (positionals.length !== count)
    throw usage(count === 1 ? `${command} needs a setting` : `${command} needs a setting and its value`, {
      hint: `Settings are ${words.join(", ")}`,
      next,
    });
  if (name === undefined)
    throw usage("There is no such setting", {
      hint: didYouMean(nearest(word ?? "", words)) || `Settings are ${words.join(", ")}`,
      next,
    });
  return [name, value];
}
