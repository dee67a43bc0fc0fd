// The promises of the catalogue, kept beside it in pinned.json: programs rely on them. `bun scripts/pin-command-line.ts`
// adds to them at a release. Removing a pinned member needs a higher schemaVersion.
import type { wholeCatalogue } from "./whole.ts";

export interface Pinned {
  readonly schemaVersion: number;
  readonly members: readonly string[];
  readonly commandMembers: readonly string[];
  readonly flagMembers: readonly string[];
  readonly env: readonly string[];
  readonly errorCodes: readonly string[];
  readonly exitCodes: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, PinnedCommand>>;
}

interface PinnedCommand {
  readonly effect: string;
  readonly confirm: string | null;
  readonly endpoint: string | null;
  readonly collection: string | null;
  /** The type by the flag's name, with `!` where it must be given. */
  readonly flags: Readonly<Record<string, string>>;
}

/** The promises in a catalogue. */
export function pin(whole: ReturnType<typeof wholeCatalogue>): Pinned {
  const { commands, globalFlags } = whole;
  return {
    schemaVersion: whole.schemaVersion,
    members: Object.keys(whole),
    commandMembers: Object.keys(commands[0] ?? {}),
    flagMembers: Object.keys(globalFlags[0] ?? {}),
    env: whole.env.map(({ name }) => name),
    errorCodes: whole.errorCodes.map(({ code, exitCode }) => `${code} ${exitCode}`),
    exitCodes: whole.exitCodes,
    commands: Object.fromEntries(
      commands.map(({ path, effect, confirm, endpoint, collection, flags }) => [
        path,
        {
          effect,
          confirm,
          endpoint: endpoint && `${endpoint.method} ${endpoint.path}`,
          collection,
          flags: Object.fromEntries(flags.map(({ name, type, required }) => [name, `${type}${required ? "!" : ""}`])),
        },
      ]),
    ),
  };
}
