// `plinth completion`: a script for the person's shell, made of the catalogue. How each shell is told is completion/.
import { didYouMean, nearest } from "../arguments/suggestion.ts";
import { jsonFormat, local, type Command, type Node } from "../command/command.ts";
import { usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import type { Result } from "../output/print.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** Made with the catalogue it completes, itself in it. */
export function completionCommand(all: () => Node): Command {
  return {
    path: "completion",
    summary: "Print a script that completes commands, flags and their values",
    description:
      "bash and zsh: source <(plinth completion bash). fish: plinth completion fish > ~/.config/fish/completions/plinth.fish",
    flags: { json: jsonFormat },
    positionals: { name: "shell", description: "bash, zsh or fish", values: shells },
    stdin: null,
    ...local,
    idempotent: true,
    output: { type: "string" },
    examples: ["plinth completion bash", "plinth completion zsh", "plinth completion fish"],
    run: (_context, values) => run(values, all()),
  };
}

async function run({ positionals }: Values, root: Node): Promise<Result> {
  const [given, ...more] = positionals;
  const shell = shells.find((known) => known === given);
  if (shell === undefined || more.length > 0) {
    const near = given === undefined ? "" : didYouMean(nearest(given, shells));
    throw usage("completion needs one shell", { hint: near || `Known are ${shells.join(", ")}` });
  }
  const { positionsOf } = await import("../completion/tables.ts");
  const script = (await scriptOf(shell))(positionsOf(root));
  return { value: script, bytes: script };
}

async function scriptOf(shell: Shell) {
  switch (shell) {
    case "bash":
      return (await import("../completion/bash.ts")).bashScript;
    case "zsh":
      return (await import("../completion/zsh.ts")).zshScript;
    case "fish":
      return (await import("../completion/fish.ts")).fishScript;
  }
}
