// `plinth completion`: a script for the person's shell, made of the catalogue, and the names that it asks the instance
// for. How each shell is told is completion/.
import { errorsOf } from "@plinth/contract/operation-errors";
import { registry } from "@plinth/contract/registry";

import { didYouMean, nearest } from "@plinth/contract/suggestion";
import { jsonFormat, local, type Command, type Node } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import type { Shell } from "../completion/scripts.ts";
import { nameKinds, type NameKind } from "../completion/tables.ts";
import { usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import type { Result } from "../output/print.ts";

const shells = ["bash", "zsh", "fish"] as const satisfies readonly Shell[];

/** Made with the catalogue it completes, itself in it. */
export function completionCommand(all: () => Node): Command {
  return {
    ...local,
    path: "completion",
    summary: "Print a script that completes commands, flags, projects and artifacts",
    description:
      "bash and zsh: source <(plinth completion bash). fish: plinth completion fish > ~/.config/fish/completions/plinth.fish",
    flags: {
      names: {
        type: "string",
        valueHint: "kind",
        values: nameKinds,
        description: "Print the names of what you have instead",
      },
      prefix: { type: "string", valueHint: "text", description: "With --names: only those that begin so" },
      json: jsonFormat,
    },
    positionals: { name: "shell", description: "bash, zsh or fish", values: shells },
    stdin: null,
    idempotent: true,
    output: { type: "string" },
    errors: errorsOf(registry["artifact.listMine"], registry["artifact.list"], registry["project.listMine"]),
    examples: ["plinth completion bash", "plinth completion zsh", "plinth completion fish"],
    run: (context, values) => run(context, values, all()),
  };
}

async function run(context: Context, { positionals, flags }: Values, root: Node): Promise<Result> {
  const [given, ...more] = positionals;
  const kind = flags["names"];
  if (typeof kind === "string") {
    if (given !== undefined) throw usage("--names goes without a shell", { hint: "Leave out one of them" });
    const { namesOf } = await import("../completion/names.ts");
    const names = await namesOf(kind as NameKind, typeof flags["prefix"] === "string" ? flags["prefix"] : "", context);
    const text = names.map((name) => `${name}\n`).join("");
    return { value: text, bytes: text };
  }
  if (flags["prefix"] !== undefined)
    throw usage("--prefix needs --names", { hint: `Names are of ${nameKinds.join(", ")}` });
  const shell = shells.find((known) => known === given);
  if (shell === undefined || more.length > 0) {
    const near = given === undefined ? "" : didYouMean(nearest(given, shells));
    throw usage(given === undefined || more.length > 0 ? "completion needs one shell" : "That shell is not supported", {
      hint: near || `There are ${shells.join(", ")}`,
    });
  }
  const { positionsOf } = await import("../completion/tables.ts");
  const { scriptOf } = await import("../completion/scripts.ts");
  const script = scriptOf(shell, positionsOf(root));
  return { value: script, bytes: script };
}
