// `plinth schema`: the catalogue for programs (docs/reference/experience.md §2, "schema"). The output is made in schema/.
import { jsonFormat, local, type Command } from "../command/command.ts";
import { usage } from "../failure/failure.ts";
import catalogueSchema from "../schema/catalogue.schema.json" with { type: "json" };
import { compactCatalogue, compactOutput, compactText } from "../schema/compact.ts";
import { wholeCatalogue } from "../schema/whole.ts";
import { didYouMean, nearest } from "@plinth/contract/suggestion";

/** Made with the commands it lists, itself among them. */
export function schemaCommand(all: () => readonly Command[]): Command {
  return {
    path: "schema",
    summary: "Print the commands, flags, exit codes and error codes for programs",
    flags: {
      compact: { type: "boolean", description: "One line a command" },
      "json-schema": { type: "boolean", description: "Print the JSON Schema of the catalogue instead" },
      json: jsonFormat,
    },
    positionals: { name: "command", description: "Only this command, or this group of commands" },
    stdin: null,
    ...local,
    idempotent: true,
    output: {
      anyOf: [
        catalogueSchema,
        { ...compactOutput, description: "With --compact" },
        { type: "object", required: ["$schema"], description: "With --json-schema" },
      ],
    },
    textOutput: "with --compact the lines alone; without, JSON",
    examples: ["plinth schema --compact", "plinth schema artifact update", "plinth schema --json-schema"],
    async run(_context, { flags, positionals }) {
      const path = positionals.join(" ");
      if (flags["json-schema"] === true) {
        if (flags["compact"] === true || path !== "")
          throw usage("--json-schema is of the whole catalogue", { hint: "Give it alone" });
        return { value: catalogueSchema, text: () => JSON.stringify(catalogueSchema, null, 2) };
      }
      const chosen = choose(all(), path);
      if (flags["compact"] === true) return { value: compactCatalogue(chosen), text: () => compactText(chosen) };
      const value = wholeCatalogue(chosen);
      return { value, text: () => JSON.stringify(value, null, 2) };
    },
  };
}

function choose(commands: readonly Command[], path: string): readonly Command[] {
  const chosen = commands.filter((command) => path === "" || `${command.path} `.startsWith(`${path} `));
  if (chosen.length > 0) return chosen;
  const paths = commands.map((command) => command.path);
  const groups = paths.flatMap((known) =>
    known
      .split(" ")
      .slice(0, -1)
      .map((_, place, words) => words.slice(0, place + 1).join(" ")),
  );
  const near = didYouMean(nearest(path, new Set([...paths, ...groups])).map((known) => `plinth schema ${known}`));
  throw usage("There is no such command", { ...(near && { hint: near }), next: "plinth schema --compact" });
}
