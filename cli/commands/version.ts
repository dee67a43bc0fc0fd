// `plinth version`: which client this is. `--version` says the same without anything else.
import { jsonFormat, local, type Command } from "../command/command.ts";
import { exactly, text } from "../output/schemas.ts";
import { build, version } from "../version.ts";

export const versionCommand: Command = {
  ...local,
  path: "version",
  summary: "Print the version of this client",
  description: "plinth health shows the version of the instance.",
  flags: { json: jsonFormat },
  stdin: null,
  idempotent: true,
  output: exactly({ version: text, build: text }),
  textOutput: "a line",
  examples: ["plinth version", "plinth version --field version"],
  run: () => Promise.resolve({ value: { version, build }, text: () => `plinth ${version} (${build})` }),
};
