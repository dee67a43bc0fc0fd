// The scenario by the compiled command line, each action in one line. The mapping of fields to flags is repeated here,
// independently of the command line's own rules.
import { registry } from "@plinth/contract/registry";
import type { Operation } from "@plinth/contract/operation";

import { commandLine } from "../harness/command-line.ts";
import type { Instance } from "../harness/instance.ts";
import type { Participants } from "./participants.ts";
import { isText, type Action, type Outcome, type Surface } from "./surface.ts";

export async function commandLineSurface({ origin }: Instance, { people }: Participants): Promise<Surface> {
  const line = await commandLine(origin);
  return {
    name: "cli",
    actorType: "api_key",
    async perform(action) {
      const { by, shareToken } = action;
      // A share link is given as its recipient has it: as the URL.
      const env: Record<string, string> =
        typeof by === "string"
          ? { SERVICE_TOKEN: people[by].key }
          : { SERVICE_SHARE_TOKEN: `${origin}/share/${shareToken ?? ""}` };
      const words = wordsOf(action);
      const { code, stdout, stderr } = await line.run(words, env);
      if (code !== 0) return refusalOf(words, code, stderr);
      return { result: isText(action.operation) ? stdout : (JSON.parse(stdout) as unknown) };
    },
    close: () => line.remove(),
  };
}

const renamed: Readonly<Record<string, string>> = { ownerUsername: "owner", versionNumber: "version" };

function wordsOf({ operation, input }: Action): string[] {
  const op: Operation = registry[operation];
  if (op.cli === undefined) throw new Error(`${operation} has no command`);
  const flags = Object.entries(input).flatMap(([field, value]) => flagOf(field, value));
  const confirmed = op.effect === "delete" && op.cli.unconfirmed !== true;
  return [...op.cli.command.split(" "), ...flags, ...(confirmed ? ["--yes"] : [])];
}

function flagOf(field: string, value: unknown): string[] {
  const name = renamed[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  if (Array.isArray(value)) return [`--${name}=${value.length === 0 ? "none" : value.join(",")}`];
  return [`--${name}=${typeof value === "string" ? value : JSON.stringify(value)}`];
}

function refusalOf(words: readonly string[], exitCode: number, stderr: string): Outcome {
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  const { error } = JSON.parse(last) as { error: { status?: number; code: string; exitCode: number; detail: string } };
  if (error.status === undefined || error.exitCode !== exitCode)
    throw new Error(`plinth ${words.join(" ")} ended with ${exitCode}: ${stderr}`);
  return { refused: { status: error.status, code: error.code } };
}
